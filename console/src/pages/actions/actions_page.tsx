import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ArchivedNote } from "../../components/archived_note.tsx";
import { defaultPageSize } from "../../components/data_table.tsx";
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { useAdmin } from "../../store/store.tsx";
import { ActionTable, type TargetType } from "./action_list.tsx";
import { actionNames, useActionName } from "./action_words.tsx";

const filters = ["function", "target_type", "target_id", "actor", "from", "to"] as const;
const targetTypes: TargetType[] = [
  "order",
  "member",
  "product",
  "article",
  "article_category",
  "commission_plan",
  "agent_levels",
  "settings",
  "crontab",
  "month",
  "administrator",
];

export function Component() {
  const { t } = useTranslation("actions");
  const state = useListState();
  const nameOf = useActionName();
  const days = useStoreDays(state.get("from"), state.get("to"));
  const source = {
    path: "/adminapi/action",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("function") && { function: state.get("function") }),
        ...(state.get("target_type") && { target_type: state.get("target_type") as TargetType }),
        ...(state.get("target_id") && { target_id: state.get("target_id") }),
        ...(state.get("actor") && { actor: state.get("actor") }),
        ...days,
      },
    },
  } as const;
  const result = useAdmin().useQuery(
    "get",
    source.path,
    { params: source.params },
    { placeholderData: keepPreviousData, enabled: days !== undefined },
  );
  // The actors on the page, and the selected one.
  const actors = new Map(
    (result.data?.list ?? []).flatMap(({ actor }) =>
      actor ? [[actor.auth_id, actor.nickname ?? actor.auth_id.slice(0, 8)] as const] : [],
    ),
  );
  const chosen = state.get("actor");
  if (chosen && !actors.has(chosen)) actors.set(chosen, chosen.slice(0, 8));

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar state={state} names={filters}>
        <ChoiceFilter
          state={state}
          name="function"
          label={t("what")}
          width={240}
          choices={actionNames.map((value) => ({ value, label: nameOf(value) }))}
        />
        <ChoiceFilter
          state={state}
          name="target_type"
          label={t("target")}
          choices={targetTypes.map((value) => ({ value, label: t(`targets.${value}`) }))}
        />
        <TextFilter state={state} name="target_id" label={t("targetId")} width={140} />
        <ChoiceFilter state={state} name="actor" label={t("who")} choices={[...actors].map(([value, label]) => ({ value, label }))} />
        <DayFilter state={state} name="from" label={t("from")} />
        <DayFilter state={state} name="to" label={t("to")} />
      </FilterBar>
      <ArchivedNote until={result.data?.archived_until} />
      <ActionTable result={result} source={source} state={state} empty={t("empty")} />
    </Page>
  );
}
