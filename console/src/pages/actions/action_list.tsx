import { Anchor, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { Actor, actorCsv } from "../../components/actor.tsx";
import { ArchivedNote } from "../../components/archived_note.tsx";
import { Clipped } from "../../components/clipped.tsx";
import type { Column } from "../../components/column.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { Section } from "../../components/section.tsx";
import { useAdmin } from "../../store/store.ts";
import { ActionValues, useActionChanges, useActionName } from "./action_words.tsx";

type Action = Admin["AdminAction"];
export type TargetType = Action["target_type"];

const column = columnsOf<Action>();

/** The page of a target. */
const pages: Record<TargetType, (id: string) => string> = {
  adjustment: () => "/adjustments",
  order: (id) => `/orders/${id}`,
  // A search that found nobody names no member.
  member: (id) => (id ? `/users/${id}` : "/users"),
  product: () => "/products",
  article: () => "/articles",
  article_category: () => "/articles?tab=categories",
  commission_plan: () => "/plan",
  agent_levels: () => "/levels",
  crontab: () => "/schedule",
  settings: () => "/settings",
  month: () => "/activity?target_type=month",
  withdrawal: (id) => `/withdrawals/${id}`,
  withdrawal_batch: (id) => `/withdrawals?batch_id=${id}`,
  administrator: () => "/activity?target_type=administrator",
};

function useTargetName(): (action: Action) => string {
  const { t } = useTranslation("actions");
  return ({ target_type, target_id }) => `${t(`targets.${target_type}`)} ${target_id ?? ""}`.trim();
}

function Target({ action }: { action: Action }) {
  const name = useTargetName()(action);
  return (
    <Clipped text={name} width="11rem">
      <Anchor component={Link} size="sm" to={pages[action.target_type](action.target_id ?? "")}>
        {name}
      </Anchor>
    </Clipped>
  );
}

function useColumns(withTarget: boolean): Column<Action>[] {
  const { t } = useTranslation(["actions", "words"]);
  const nameOf = useActionName();
  const targetOf = useTargetName();
  const changesOf = useActionChanges();
  const target = column.custom({ id: "target", title: t("target"), cell: (action) => <Target action={action} />, csv: targetOf });
  const request = column.text("request_id", t("request"), {
    cell: ({ request_id }) => (
      <Text span size="xs" c="dimmed" ff="monospace">
        <Clipped text={request_id ?? "–"} width="6rem" />
      </Text>
    ),
  });
  return [
    column.time("add_time", t("words:time")),
    column.actor("actor", t("who"), {
      cell: ({ actor }) =>
        actor ? (
          <Actor actor={actor} />
        ) : (
          <Text span size="sm">
            {t("owner")}
          </Text>
        ),
      csv: ({ actor }) => (actor ? actorCsv(actor) : t("owner")),
    }),
    column.words("what", t("what"), (action) => nameOf(action.function)),
    ...(withTarget ? [target] : []),
    column.custom({
      id: "values",
      title: t("values"),
      cell: (action) => <ActionValues action={action} />,
      csv: (action) =>
        changesOf(action)
          .map(({ name, change }) => `${name}: ${change}`)
          .join("; "),
    }),
    ...(withTarget ? [request] : []),
  ];
}

interface ActionTableProps {
  /** Without a state for the actions on one target, of which only the newest are shown. */
  list: React.ComponentProps<typeof DataTable<Action>>["list"];
  empty: string;
}

/** Administrative actions, newest first. */
export function ActionTable({ list, empty }: ActionTableProps) {
  const { t } = useTranslation("actions");
  const ofAll = list.state !== undefined;
  return (
    <DataTable
      name={ofAll ? "actions" : "actions of one thing"}
      label={t("title")}
      columns={useColumns(ofAll)}
      rowId={({ id }) => id}
      list={list}
      empty={empty}
    />
  );
}

const mostOfOne = 20;

/** The newest administrative actions on one target, with a link to the others. */
export function ActionsOf({ type, id }: { type: TargetType; id: number }) {
  const { t } = useTranslation("actions");
  const source = { path: "/adminapi/action", params: { query: { target_type: type, target_id: String(id), limit: mostOfOne } } } as const;
  const result = useAdmin(source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const isMore = (result.data?.count ?? 0) > mostOfOne;
  return (
    <Section
      title={t("title")}
      actions={
        isMore && (
          <Anchor component={Link} size="sm" to={`/activity?target_type=${type}&target_id=${id}`}>
            {t("all")}
          </Anchor>
        )
      }
    >
      <ActionTable list={{ result, source }} empty={t("emptyOfOne")} />
      <ArchivedNote until={result.data?.archived_until} />
    </Section>
  );
}
