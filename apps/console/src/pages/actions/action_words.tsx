import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { formatCurrency, formatPoints } from "../../components/figures.tsx";
import { useFormatTime } from "../../components/time.tsx";
import { useScheduleInWords } from "../schedule/schedule_words.ts";

type Action = Admin["AdminAction"];
type Values = Record<string, unknown>;

/**
 * Where the words for a value are, by its name and by what the action is about. A text without words there is shown as
 * it is.
 */
const wordsOf: Record<string, Partial<Record<Action["target_type"] | "any", string>>> = {
  state: {
    order: "words:orderState",
    withdrawal: "withdrawals:states",
    adjustment: "adjustments:states",
    outbox: "outbox:states",
    person_request: "person_requests:states",
  },
  kind: { person_request: "person_requests:kinds" },
  refund_state: { any: "orders:payments.refundState" },
  refund_status: { any: "words:refundStatus" },
  return_state: { any: "words:returnState" },
  transfer_state: { any: "withdrawals:transferStates" },
  method: { any: "withdrawals:methods" },
  withdrawal_methods: { any: "withdrawals:methods" },
  brokerage_scope: { any: "plans:scopes" },
  brokerage_timing: { any: "plans:timings" },
  roles: { any: "common:roles.names" },
  found_by: { any: "common:search.by" },
  kinds: { any: "words:waiting" },
  page: { any: "common:nav" },
};

function useValueWords(): (action: Action, name: string, value: unknown) => string {
  const { t, i18n } = useTranslation(["actions", "common", "words"]);
  const inWords = useScheduleInWords();
  const formatTime = useFormatTime();
  return ({ function: called, target_type }, name, value) => {
    const words = called === "retry_job" ? "words:jobState" : (wordsOf[name]?.[target_type] ?? wordsOf[name]?.any);
    const wordOf = (one: unknown): string | undefined => {
      const key = `${words}.${String(one)}`;
      return words !== undefined && i18n.exists(key) ? t(key as "words:orderState.paid") : undefined;
    };
    if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
      return value.map((one) => wordOf(one) ?? String(one)).join(t("listed")) || "–";
    const word = wordOf(value);
    if (word !== undefined) return word;
    if (name === "schedule" && typeof value === "string") return inWords(value) ?? value;
    if (typeof value === "string" && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return formatTime(value);
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return t(value ? "common:yes" : "common:no");
    if (typeof value === "number") return formatPoints(value);
    if (value === "changed") return t("changed");
    if (typeof value === "string") return value;
    return JSON.stringify(value);
  };
}

/**
 * The changes of an action: the name of each value with its old and new value. For an order, also what the
 * administrator earned.
 */
export function useActionChanges(): (action: Action) => { name: string; change: string }[] {
  const { t } = useTranslation("actions");
  const words = useValueWords();
  return (action) => {
    const { from, to, actor_earned } = action;
    const [before, after]: [Values, Values] = [from ?? {}, to ?? {}];
    const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
      name: t(
        [`fields.${name}`, `settings:fields.${name}.label`] as ["fields.state", "settings:fields.time_zone.label"],
        {
          defaultValue: name,
        },
      ),
      change: `${name in before ? `${words(action, name, before[name])} → ` : ""}${name in after ? words(action, name, after[name]) : t("gone")}`,
    }));
    if (!actor_earned) return changes;
    const { commission, points } = actor_earned;
    const earned = t("earned", { commission: formatCurrency(commission), points: formatPoints(points) });
    return [...changes, { name: t("actorEarned"), change: earned }];
  };
}

/** The changes: each value before and after. */
export function ActionValues({ action }: { action: Action }) {
  const changesOf = useActionChanges();
  return (
    <Stack gap={0}>
      {changesOf(action).map(({ name, change }) => (
        <Text key={name} size="sm" style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}>
          <Text span c="dimmed" size="sm">
            {name}:{" "}
          </Text>
          {change}
        </Text>
      ))}
    </Stack>
  );
}
