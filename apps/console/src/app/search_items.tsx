import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  CalendarClock,
  FilePlus,
  Languages,
  LogOut,
  type LucideIcon,
  Moon,
  Package,
  PackagePlus,
  Receipt,
  Settings,
  ShoppingCart,
  Sun,
  User,
  Wallet,
  WalletCards,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../client/index.ts";
import { type Language, languages } from "../../../shared/languages.ts";
import { load } from "../../../shared/load_page.ts";
import { formatCurrency } from "../components/figures.tsx";
import { notifyFailure } from "../components/notify.ts";
import { useFormatTime } from "../components/time.tsx";
import { chooseLanguage } from "../i18n/index.ts";
import { useHasArea } from "../session/own_areas.ts";
import { useScheduledJobTitle } from "../pages/schedule/scheduled_job_title.ts";
import { settingNames } from "../pages/settings/settings_table.ts";
import { useSession } from "../session/session_context.ts";
import { useAdmin } from "../store/store.ts";
import { useMenu } from "./navigation.ts";

/** A line of the search: what it leads to, or what it does. */
export type SearchItem = {
  id: string;
  group: "contact" | keyof Admin["Found"] | "pages" | "jobs" | "settings" | "actions";
  icon: LucideIcon;
  /** The address of a picture, in the place of the icon. */
  image?: string | null;
  label: string;
  description?: string;
  /** The search stays open. */
  staysOpen?: true;
} & ({ to: string } | { run: () => void });

/** What the store has found. */
export function useFoundItems(found: Admin["Found"] | undefined): SearchItem[] {
  const { t } = useTranslation(["common", "words", "withdrawals", "products"]);
  const format = useFormatTime();
  if (!found) return [];
  const memberOf = ({ uid, nickname }: { uid: number; nickname: string }) => `${nickname} ${uid}`;
  return [
    ...found.members.map((row) => ({
      id: `member-${row.uid}`,
      group: "members" as const,
      icon: User,
      label: row.nickname,
      description: [row.uid, row.agent_level_name, row.left_at && t("words:hasLeft")].filter(Boolean).join(" · "),
      to: `/users/${row.uid}`,
    })),
    ...found.orders.map((row) => ({
      id: `order-${row.id}`,
      group: "orders" as const,
      icon: ShoppingCart,
      label: row.order_no,
      description: [
        row.id,
        memberOf(row),
        t(`words:orderState.${row.shown_state}`),
        formatCurrency(row.pay_price),
      ].join(" · "),
      to: `/orders/${row.id}`,
    })),
    ...found.withdrawals.map((row) => ({
      id: `withdrawal-${row.id}`,
      group: "withdrawals" as const,
      icon: Wallet,
      label: row.withdrawal_no,
      description: [memberOf(row), t(`withdrawals:states.${row.state}`), formatCurrency(row.amount)].join(" · "),
      to: `/withdrawals/${row.id}`,
    })),
    ...found.batches.map((row) => ({
      id: `batch-${row.id}`,
      group: "batches" as const,
      icon: WalletCards,
      label: row.batch_no,
      description: [t(`withdrawals:methods.${row.method}`), formatCurrency(row.amount)].join(" · "),
      to: `/withdrawals?batch_id=${row.id}`,
    })),
    ...found.bill_rows.map((row) => ({
      id: `bill-${row.id}`,
      group: "bill_rows" as const,
      icon: Receipt,
      label: t("search.billRow", { id: row.id }),
      description: [t(`words:billType.${row.type}`), memberOf(row), format(row.add_time)].join(" · "),
      to: `/bill?row=${row.id}`,
    })),
    ...found.products.map((row) => ({
      id: `product-${row.id}`,
      group: "products" as const,
      icon: Package,
      image: row.image,
      label: row.title,
      ...(!row.is_show && { description: t("products:offSale") }),
      to: `/products?product=${row.id}`,
    })),
  ];
}

const textsOf = {
  en: load(async () => (await import("../i18n/en/index.ts")).en),
  zh: load(async () => (await import("../i18n/zh/index.ts")).zh),
};

/**
 * The pages of the menu, the scheduled jobs, the settings and the actions whose name has the text, in either language
 * or as the API calls it: people look for what they call a thing.
 */
export function useCommands(text: string): SearchItem[] {
  const { t, i18n } = useTranslation(["common", "settings"]);
  const language = i18n.language as Language;
  const other = language === "zh" ? "en" : "zh";
  const { data: otherTexts } = useQuery({
    queryKey: ["texts", other],
    queryFn: textsOf[other],
    staleTime: Infinity,
  });
  const session = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  const changesContent = useHasArea("content");
  const readsRecords = useHasArea("records");
  const jobs = useAdmin("/adminapi/system/crontab", {}, { enabled: readsRecords && text !== "" }).data?.list ?? [];
  const titleOf = useScheduledJobTitle();
  const pages = useMenu().flatMap((group) => group.pages.map((page) => page));

  const items: (SearchItem & { alsoNamed?: (string | undefined)[] })[] = [
    ...pages.map(({ name, route, icon }) => ({
      id: `page-${name}`,
      group: "pages" as const,
      icon,
      label: t(`nav.${name}`),
      alsoNamed: [otherTexts?.common.nav[name], route],
      to: `/${route}`,
    })),
    // Those of the store would push what people look for out of sight, until they say what that is.
    ...(text === "" ? [] : jobs).map((job) => ({
      id: `job-${job.name}`,
      group: "jobs" as const,
      icon: CalendarClock,
      label: titleOf(job),
      description: job.name,
      alsoNamed: [job.title, job.title_zh, job.name],
      to: `/schedule?job=${job.name}`,
    })),
    ...(text === "" || !readsRecords ? [] : settingNames).map((name) => ({
      id: `setting-${name}`,
      group: "settings" as const,
      icon: Settings,
      label: t(`settings:fields.${name}.label`),
      alsoNamed: [otherTexts?.settings.fields[name].label, name],
      to: `/settings?setting=${name}`,
    })),
    ...(changesContent
      ? [
          {
            id: "new-product",
            group: "actions" as const,
            icon: PackagePlus,
            label: t("search.newProduct"),
            to: "/products?product=new",
          },
          {
            id: "new-article",
            group: "actions" as const,
            icon: FilePlus,
            label: t("search.newArticle"),
            to: "/articles?article=new",
          },
        ]
      : []),
    {
      id: "language",
      group: "actions",
      icon: Languages,
      label: `${t("language")}: ${languages[other]}`,
      run: () => void chooseLanguage(other).catch(notifyFailure),
    },
    {
      id: "scheme",
      group: "actions",
      icon: scheme === "dark" ? Moon : Sun,
      label: t(`scheme.${scheme}`),
      run: () => setColorScheme(scheme),
    },
    { id: "sign-out", group: "actions", icon: LogOut, label: t("signOut"), run: () => void session.signOut() },
  ];
  const sought = text.toLowerCase();
  return items.filter(({ label, alsoNamed = [] }) =>
    [label, ...alsoNamed].some((name) => name?.toLowerCase().includes(sought)),
  );
}
