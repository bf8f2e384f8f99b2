import { Anchor, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { actorCsv } from "../../components/actor.tsx";
import type { Column } from "../../components/column.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { formatCurrency } from "../../components/figures.tsx";
import { memberCsv, MemberLink, TextLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { useAdmin } from "../../store/store.ts";
import { useScheduledJobTitle } from "../schedule/scheduled_job_title.ts";
import { ActionValues, useActionChanges } from "./action_words.tsx";
import { DroppedNote } from "./dropped_note.tsx";
import { fillSentence } from "./fill_sentence.ts";

type Action = Admin["AdminAction"];
export type TargetType = Action["target_type"];

const column = columnsOf<Action>();

/** The page of a target. */
const pages: Record<TargetType, (id: string) => string> = {
  adjustment: () => "/adjustments",
  order: (id) => `/orders/${id}`,
  // A search that found nobody names no member.
  member: (id) => (id ? `/users/${id}` : "/users"),
  outbox: () => "/outbox",
  picture: () => "/activity?target_type=picture",
  product: () => "/products",
  product_category: () => "/product-categories",
  first_page: () => "/first-page",
  article: () => "/articles",
  article_category: () => "/articles?tab=categories",
  carrier: (code) => `/carriers?carrier=${code}`,
  commission_plan: () => "/plan",
  agent_levels: () => "/levels",
  crontab: () => "/schedule",
  finding: () => "/check?tab=reconcile",
  settings: () => "/settings",
  month: () => "/activity?target_type=month",
  withdrawal: (id) => `/withdrawals/${id}`,
  withdrawal_batch: (id) => `/withdrawals?batch_id=${id}`,
  administrator: (id) => `/administrators?administrator=${id}`,
  invitation: () => "/administrators",
  machine_key: () => "/machine-keys",
  webhook: (id) => `/webhooks/${id}`,
  person_request: () => "/person-requests",
  tool: () => "/activity?target_type=tool",
};

/** What the target is called, or else what kind of thing it is. */
function useTargetName(): (action: Action) => string {
  const { t } = useTranslation("actions");
  const jobTitle = useScheduledJobTitle();
  return ({ target_type, subject: { name, name_zh } }) =>
    name === null
      ? t(`targets.${target_type}`)
      : name_zh === null
        ? name
        : jobTitle({ title: name, title_zh: name_zh });
}

/** Who acted: a person, or a machine key and its owner. */
function Who({ action: { actor, machine_key } }: { action: Action }) {
  const { t } = useTranslation("actions");
  if (!machine_key) return <Person actor={actor} />;
  return (
    <Trans
      t={t}
      i18nKey="byKey"
      components={{ who: <Person actor={actor} />, target: <KeyLink name={machine_key.name} /> }}
    />
  );
}

function KeyLink({ name }: { name: string }) {
  return <TextLink to="/machine-keys">{name}</TextLink>;
}

/** The owner of the database has no account. */
function Person({ actor }: { actor: Action["actor"] }) {
  const { t } = useTranslation("actions");
  if (actor?.uid) return <MemberLink uid={actor.uid} nickname={actor.nickname} inText />;
  return (
    <Text span size="sm" fw={600}>
      {actor ? (actor.nickname ?? actor.auth_id) : t("owner")}
    </Text>
  );
}

function Target({ action }: { action: Action }) {
  return <TextLink to={pages[action.target_type](action.target_id ?? "")}>{useTargetName()(action)}</TextLink>;
}

const amountOf = ({ subject: { amount } }: Action) => (amount === null ? "–" : formatCurrency(amount));

/** What happened, in a sentence with links. An unknown function is shown by its name. */
function Sentence({ action }: { action: Action }) {
  const { t, i18n } = useTranslation("actions");
  const { function: called, subject } = action;
  const key = `sentences.${called}` as "sentences.set_settings";
  if (!i18n.exists(`actions:${key}`)) return <span>{called}</span>;
  return (
    <Text span size="sm" data-sentence style={{ overflowWrap: "anywhere" }}>
      <Trans
        t={t}
        i18nKey={key}
        values={{ amount: amountOf(action) }}
        components={{
          who: <Who action={action} />,
          target: <Target action={action} />,
          member: <MemberLink uid={subject.uid} nickname={subject.nickname} inText />,
        }}
      />
    </Text>
  );
}

/** The same as text. */
function useSentence(): (action: Action) => string {
  const { t, i18n } = useTranslation("actions");
  const targetOf = useTargetName();
  return (action) => {
    const { function: called, actor, machine_key, subject } = action;
    const person = actor ? actorCsv(actor) : t("owner");
    const key = `sentences.${called}` as "sentences.approve_withdrawal";
    if (!i18n.exists(`actions:${key}`)) return called;
    return fillSentence(t(key, { amount: amountOf(action) }), {
      who: machine_key ? fillSentence(t("byKey"), { who: person, target: machine_key.name, member: "" }) : person,
      target: targetOf(action),
      member: memberCsv(subject.uid, subject.nickname),
    });
  };
}

/** The changes of an action and its request. */
function Details({ action }: { action: Action }) {
  const { t } = useTranslation("actions");
  return (
    <>
      <ActionValues action={action} />
      {action.request_id !== null && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}>
          {t("request")}: {action.request_id}
        </Text>
      )}
    </>
  );
}

function useColumns(): Column<Action>[] {
  const { t } = useTranslation(["actions", "words"]);
  const sentenceOf = useSentence();
  const changesOf = useActionChanges();
  return [
    column.time("add_time", t("words:time")),
    column.custom({
      id: "happened",
      title: t("happened"),
      width: 480,
      cell: (action) => <Sentence action={action} />,
      csv: sentenceOf,
    }),
    column.custom({
      id: "values",
      title: t("values"),
      isDetail: true,
      cell: (action) => <Details action={action} />,
      csv: (action) =>
        changesOf(action)
          .map(({ name, change }) => `${name}: ${change}`)
          .join("; "),
    }),
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
      columns={useColumns()}
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
  const source = {
    path: "/adminapi/action",
    params: { query: { target_type: type, target_id: String(id), limit: mostOfOne } },
  } as const;
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
      <DroppedNote until={result.data?.dropped_until} />
    </Section>
  );
}
