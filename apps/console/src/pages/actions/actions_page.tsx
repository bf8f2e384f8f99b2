import { useTranslation } from "react-i18next";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { Page } from "../../components/page.tsx";
import { useList } from "../../components/use_list.ts";
import { useAdmin } from "../../store/store.ts";
import { ActionTable } from "./action_list.tsx";
import { DroppedNote } from "./dropped_note.tsx";

const filters = {
  function: "text",
  target_type: "text",
  target_id: "text",
  actor: "text",
  from: "day",
  to: "day",
} as const;
export function Component() {
  const { t } = useTranslation("actions");
  const list = useList("/adminapi/action", { filters });
  const functions = t("functions", { returnObjects: true });
  const targets = t("targets", { returnObjects: true });
  const actionNames = Object.keys(functions) as (keyof typeof functions)[];
  const { data: people } = useAdmin("/adminapi/administrator");
  // Whoever runs the store now, who acted on this page, and the selected one.
  const actors = new Map<string, string>();
  for (const { auth_id, name, email } of people?.list ?? []) if (auth_id) actors.set(auth_id, name ?? email ?? auth_id);
  for (const { actor } of list.result.data?.list ?? [])
    if (actor && !actors.has(actor.auth_id)) actors.set(actor.auth_id, actor.nickname ?? actor.auth_id);
  const chosen = list.state.get("actor");
  if (chosen && !actors.has(chosen)) actors.set(chosen, chosen);

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list} views="actions">
        <ChoiceFilter
          name="function"
          label={t("what")}
          width={240}
          choices={actionNames.map((value) => ({ value, label: t(`functions.${value}`) }))}
        />
        <ChoiceFilter
          name="target_type"
          label={t("target")}
          choices={Object.entries(targets).map(([value, label]) => ({ value, label }))}
        />
        <TextFilter name="target_id" label={t("targetId")} width={140} />
        <ChoiceFilter name="actor" label={t("who")} choices={[...actors].map(([value, label]) => ({ value, label }))} />
        <DayRangeFilter label={t("days")} />
      </FilterBar>
      <DroppedNote until={list.result.data?.dropped_until} />
      <ActionTable list={list} empty={t("empty")} />
    </Page>
  );
}
