import { Anchor, Group, List, Text, ThemeIcon } from "@mantine/core";
import { Check, Circle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useAdmin } from "../../store/store.ts";

type Step = "products" | "plan" | "levels" | "article" | "share" | "administrator" | "scheduler";
/** `preset`: the default works, but should be reviewed. */
type State = "done" | "preset" | "open";

const links: Record<Step, string> = {
  products: "/products",
  plan: "/plan",
  levels: "/levels",
  article: "/articles?tab=categories",
  share: "/settings",
  administrator: "/activity",
  scheduler: "/schedule",
};
const colors: Record<State, string> = { done: "green", preset: "blue", open: "orange" };

/** Whether an address is on this machine. */
function isLocal(address: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/i.test(address);
}

/** The state of each step, as far as it is known. */
function useSteps(): [Step, State | undefined][] {
  const products = useAdmin("/adminapi/product", {
    params: { query: { is_queue_goods: true, is_show: true, limit: 1 } },
  }).data;
  const plan = useAdmin("/adminapi/hjf/brokerage/config").data;
  const levels = useAdmin("/adminapi/agent/level").data;
  const categories = useAdmin("/adminapi/article_category", { params: { query: { limit: 100 } } }).data;
  const settings = useAdmin("/adminapi/system/settings").data;
  const schedule = useAdmin("/adminapi/system/crontab").data;
  const lookedOver = (versions: { created_by: unknown }[]): State => (versions.some(({ created_by }) => created_by) ? "done" : "preset");
  const isDone = (done: boolean): State => (done ? "done" : "open");
  return [
    ["products", products && isDone(products.count > 0)],
    ["plan", plan && lookedOver(plan.versions)],
    ["levels", levels && lookedOver(levels.versions)],
    [
      "article",
      categories &&
        isDone(categories.list.some(({ is_sign_in_ad, hidden, readable_articles }) => is_sign_in_ad && !hidden && readable_articles > 0)),
    ],
    ["share", settings && isDone(!isLocal(settings.h5_share_url))],
    // Whoever sees this page is an administrator.
    ["administrator", "done"],
    ["scheduler", schedule && isDone(schedule.list.some(({ runs }) => runs.length > 0))],
  ];
}

/** The steps that a new store needs before its first order. Renders nothing after the first order. */
export function FirstSteps() {
  const orders = useAdmin("/adminapi/order", { params: { query: { limit: 1 } } });
  return orders.data?.count === 0 ? <Steps /> : null;
}

function Steps() {
  const { t } = useTranslation("overview");
  const steps = useSteps();
  return (
    <Section title={t("steps.title")} about={t("steps.about")}>
      <List spacing="sm" center listStyleType="none">
        {steps.map(([step, state]) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon variant="light" color={colors[state ?? "open"]} size={24} radius="xl">
                {state === "done" ? <Check size={14} aria-hidden /> : <Circle size={10} aria-hidden />}
              </ThemeIcon>
            }
          >
            <Group gap="xs">
              <Anchor component={Link} to={links[step]}>
                {t(`steps.${step}.title`)}
              </Anchor>
              {state && <Tag color={colors[state]}>{t(`steps.${state}`)}</Tag>}
            </Group>
            <Text size="sm" c="dimmed">
              {t(`steps.${step}.about`)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
