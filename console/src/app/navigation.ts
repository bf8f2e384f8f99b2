import {
  BadgePercent,
  CalendarClock,
  ChartColumn,
  ClipboardCheck,
  CreditCard,
  HandCoins,
  History,
  KeyRound,
  Landmark,
  LayoutDashboard,
  LayoutTemplate,
  ListChecks,
  type LucideIcon,
  Network,
  Newspaper,
  Package,
  Radar,
  ReceiptText,
  Scale,
  ScrollText,
  Send,
  Settings,
  ShoppingCart,
  TrendingUp,
  Truck,
  UserCheck,
  UserCog,
  Users,
  UserSearch,
  Wallet,
  Webhook,
} from "lucide-react";
import { useHasArea } from "../session/own_areas.ts";

/** The groups of the menu with the routes of their pages. The names are keys of the texts in `nav`. */
const navigation = [
  {
    group: "daily",
    pages: [
      entry("overview", LayoutDashboard),
      entry("reports", ChartColumn),
      entry("members", Users, "users"),
      entry("orders", ShoppingCart),
      entry("shipping", Truck),
      entry("payments", CreditCard),
      entry("release", ScrollText, "release-log"),
      entry("personRequests", UserCheck, "person-requests"),
    ],
  },
  {
    group: "money",
    pages: [
      entry("bill", ReceiptText),
      entry("withdrawals", Wallet),
      entry("debts", HandCoins),
      entry("adjustments", Scale),
      entry("finance", Landmark),
    ],
  },
  { group: "content", pages: [entry("products", Package), entry("firstPage", LayoutTemplate, "first-page"), entry("articles", Newspaper)] },
  {
    group: "rules",
    pages: [
      entry("plans", BadgePercent, "plan"),
      entry("levels", TrendingUp),
      entry("review", UserSearch, "level-review"),
      entry("signals", Radar),
      entry("network", Network),
    ],
  },
  {
    group: "operation",
    pages: [
      entry("settlement", ListChecks, "jobs"),
      entry("outbox", Send),
      entry("schedule", CalendarClock),
      entry("verification", ClipboardCheck, "check"),
      entry("administrators", UserCog),
      entry("machineKeys", KeyRound, "machine-keys"),
      entry("webhooks", Webhook),
      entry("actions", History, "activity"),
      entry("settings", Settings),
    ],
  },
] as const;

function entry<Name extends string>(name: Name, icon: LucideIcon, route: string = name) {
  return { name, icon, route };
}

/** The groups that the signed-in administrator may read: without the area records, those of products and articles only. */
export function useMenu() {
  const readsRecords = useHasArea("records");
  return navigation.filter(({ group }) => readsRecords || group === "content");
}
