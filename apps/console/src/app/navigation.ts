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
import type { Area } from "../session/own_areas.ts";
import { useAdmin } from "../store/store.ts";

/**
 * The groups of the menu with the routes of their pages, and the area that a role needs to read each. The names are
 * keys of the texts in `nav`. All groups, two of them open, fit in a window of 768 pixels.
 */
const navigation = [
  {
    group: "overview",
    icon: LayoutDashboard,
    pages: [entry("overview", LayoutDashboard), entry("reports", ChartColumn)],
  },
  {
    group: "orders",
    icon: ShoppingCart,
    pages: [entry("orders", ShoppingCart), entry("shipping", Truck), entry("payments", CreditCard)],
  },
  {
    group: "members",
    icon: Users,
    pages: [
      entry("members", Users, "users"),
      entry("review", UserSearch, "level-review"),
      entry("network", Network),
      entry("personRequests", UserCheck, "person-requests"),
    ],
  },
  {
    group: "money",
    icon: Wallet,
    pages: [
      entry("withdrawals", Wallet),
      entry("bill", ReceiptText),
      entry("debts", HandCoins),
      entry("adjustments", Scale),
      entry("finance", Landmark),
    ],
  },
  {
    group: "content",
    icon: Package,
    pages: [
      entry("products", Package, "products", null),
      entry("firstPage", LayoutTemplate, "first-page", null),
      entry("articles", Newspaper, "articles", null),
    ],
  },
  {
    group: "rules",
    icon: BadgePercent,
    pages: [
      entry("plans", BadgePercent, "plan"),
      entry("levels", TrendingUp),
      entry("release", ScrollText, "release-log"),
    ],
  },
  {
    group: "checks",
    icon: ClipboardCheck,
    pages: [
      entry("signals", Radar),
      entry("verification", ClipboardCheck, "check"),
      entry("settlement", ListChecks, "jobs"),
      entry("outbox", Send),
    ],
  },
  {
    group: "access",
    icon: UserCog,
    pages: [
      entry("administrators", UserCog),
      entry("machineKeys", KeyRound, "machine-keys", "keys"),
      entry("webhooks", Webhook, "webhooks", "keys"),
      entry("actions", History, "activity"),
    ],
  },
  {
    group: "system",
    icon: Settings,
    pages: [entry("settings", Settings), entry("schedule", CalendarClock)],
  },
] as const;

/** @param area that reading the page needs; null if every role may */
function entry<Name extends string>(name: Name, icon: LucideIcon, route: string = name, area: Area | null = "records") {
  return { name, icon, route, area };
}

/** The pages that the roles of the signed-in administrator allow, in their groups; all until the roles are known. */
export function useMenu() {
  const { data } = useAdmin("/adminapi/me");
  return navigation
    .map(({ group, icon, pages }) => ({
      group,
      icon,
      pages: pages.filter(({ area }) => area === null || !data || data.areas.includes(area)),
    }))
    .filter(({ pages }) => pages.length > 0);
}
