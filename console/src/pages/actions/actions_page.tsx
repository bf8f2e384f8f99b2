import { useTranslation } from "react-i18next";
import { ArchivedNote } from "../../components/archived_note.tsx";
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { Page } from "../../components/page.tsx";
import { useList } from "../../components/use_list.ts";
import { ActionTable, type TargetType } from "./action_list.tsx";
import { actionNames, useActionName } from "./action_words.tsx";

const filters = {
  function: "text",
  target_type: "text",
  target_id: "text",
  actor: "text",
  from: "day",
  to: "day",
} as const;
const targetTypes: TargetType[] = [
  "order",
  "member",
  "product",
  "article",
  "article_category",
  "carrier",
  "commission_plan",
  "agent_levels",
  "settings",
  "crontab",
  "month",
  "administrator",
];

export function Component() {
  const { t } = useTranslation("actions");
  const nameOf = useActionName();
  const list = useList("/adminapi/action", { filters });
  // The actors on the page, and the selected one.
  const actors = new Map(
    (list.result.data?.list ?? []).flatMap(({ actor }) =>
      actor ? [[actor.auth_id, actor.nickname ?? actor.auth_id.slice(0, 8)] as const] : [],
    ),
  );
  const chosen = list.state.get("actor");
  if (chosen && !actors.has(chosen)) actors.set(chosen, chosen.slice(0, 8));

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list}>
        <ChoiceFilter
          name="function"
          label={t("what")}
          width={240}
          choices={actionNames.map((value) => ({ value, label: nameOf(value) }))}
        />
        <ChoiceFilter
          name="target_type"
          label={t("target")}
          choices={targetTypes.map((value) => ({ value, label: t(`targets.${value}`) }))}
        />
        <TextFilter name="target_id" label={t("targetId")} width={140} />
        <ChoiceFilter name="actor" label={t("who")} choices={[...actors].map(([value, label]) => ({ value, label }))} />
        <DayFilter name="from" label={t("from")} />
        <DayFilter name="to" label={t("to")} />
      </FilterBar>
      <ArchivedNote until={list.result.data?.archived_until} />
      <ActionTable list={list} empty={t("empty")} />
    </Page>
  );
}
