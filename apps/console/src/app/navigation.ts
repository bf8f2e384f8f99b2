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
 * keys of the texts in `nav`.
 */
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
  {
    group: "content",
    pages: [
      entry("products", Package, "products", null),
      entry("firstPage", LayoutTemplate, "first-page", null),
      entry("articles", Newspaper, "articles", null),
    ],
  },
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
      entry("machineKeys", KeyRound, "machine-keys", "keys"),
      entry("webhooks", Webhook, "webhooks", "keys"),
      entry("actions", History, "activity"),
      entry("settings", Settings),
    ],
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
    .map(({ group, pages }) => ({
      group,
      pages: pages.filter(({ area }) => area === null || !data || data.areas.includes(area)),
    }))
    .filter(({ pages }) => pages.length > 0);
}
