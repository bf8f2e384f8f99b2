import { Anchor, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { Actor } from "../../components/actor.tsx";
import { type Column, DataTable } from "../../components/data_table.tsx";
import type { ListState } from "../../components/list_state.ts";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";
import { ActionValues, useActionName } from "./action_words.tsx";

type Action = Admin["AdminAction"];
export type TargetType = Action["target_type"];

/** The page on which a target is looked at. */
const pages: Record<TargetType, (id: string) => string> = {
  order: (id) => `/orders/${id}`,
  member: (id) => `/users/${id}`,
  product: () => "/products",
  article: () => "/articles",
  article_category: () => "/articles?tab=categories",
  commission_plan: () => "/plan",
  agent_levels: () => "/levels",
  crontab: () => "/schedule",
  settings: () => "/settings",
  administrator: () => "/activity?target_type=administrator",
};

function Target({ action: { target_type, target_id } }: { action: Action }) {
  const { t } = useTranslation("activity");
  return <Anchor component={Link} size="sm" to={pages[target_type](target_id ?? "")}>{t(`targets.${target_type}`)} {target_id}</Anchor>;
}

function useColumns(withTarget: boolean): Column<Action>[] {
  const { t, i18n } = useTranslation(["activity", "words"]);
  const nameOf = useActionName();
  return useMemo(() => [
    { id: "time", title: t("words:time"), cell: ({ add_time }) => <Time value={add_time} /> },
    { id: "who", title: t("who"), cell: ({ actor }) => actor ? <Actor actor={actor} /> : <Text span size="sm">{t("owner")}</Text> },
    { id: "what", title: t("what"), cell: (action) => nameOf(action.function) },
    ...(withTarget ? [{ id: "target", title: t("target"), cell: (action: Action) => <Target action={action} /> }] : []),
    { id: "values", title: t("values"), cell: (action) => <ActionValues action={action} /> },
    ...(withTarget ? [{ id: "request", title: t("request"), cell: ({ request_id }: Action) => <Text span size="xs" c="dimmed" ff="monospace">{request_id ?? "–"}</Text> }] : []),
  ], [t, i18n.language, withTarget]);
}

interface ActionTableProps {
  answer: React.ComponentProps<typeof DataTable<Action>>["answer"];
  empty: string;
  /** Leave out for the actions of one thing, of which the newest are shown. */
  state?: ListState;
}

/** Administrative actions, newest first. */
export function ActionTable({ answer, empty, state }: ActionTableProps) {
  const { t } = useTranslation("activity");
  const columns = useColumns(state !== undefined);
  return <DataTable name={state ? "actions" : "actions of one thing"} label={t("title")} columns={columns} rowId={({ id }) => id} answer={answer} empty={empty} {...(state && { state })} />;
}

const mostOfOne = 20;

/** What administrators did with one thing, on its own page: the newest, and the way to the rest. */
export function ActionsOf({ type, id }: { type: TargetType; id: number }) {
  const { t } = useTranslation("activity");
  const answer = useAdmin().useQuery("get", "/adminapi/action", { params: { query: { target_type: type, target_id: String(id), limit: mostOfOne } } }, { placeholderData: keepPreviousData });
  const isMore = (answer.data?.count ?? 0) > mostOfOne;
  return (
    <Section title={t("title")} actions={isMore && <Anchor component={Link} size="sm" to={`/activity?target_type=${type}&target_id=${id}`}>{t("all")}</Anchor>}>
      <ActionTable answer={answer} empty={t("emptyOfOne")} />
    </Section>
  );
}
