import {
  BadgePercent, CalendarClock, ClipboardCheck, CreditCard, History, LayoutDashboard, ListChecks, type LucideIcon, Newspaper, Package, ScrollText, Settings, ShoppingCart,
  TrendingUp, Users,
} from "lucide-react";

/** The menu: groups of pages. The names are texts of `nav`. */
export const navigation = [
  { group: "daily", pages: [entry("overview", LayoutDashboard), entry("users", Users), entry("orders", ShoppingCart), entry("payments", CreditCard), entry("release-log", ScrollText)] },
  { group: "content", pages: [entry("products", Package), entry("articles", Newspaper)] },
  { group: "rules", pages: [entry("plan", BadgePercent), entry("levels", TrendingUp)] },
  { group: "operation", pages: [entry("jobs", ListChecks), entry("schedule", CalendarClock), entry("check", ClipboardCheck), entry("activity", History), entry("settings", Settings)] },
] as const;

function entry<Name extends string>(name: Name, icon: LucideIcon) {
  return { name, icon };
}
