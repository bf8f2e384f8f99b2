import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Actor } from "../../components/actor.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { ChoiceFilter, FilterBar, MemberFilter, WaitingFilter } from "../../components/filter_bar.tsx";
import { useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { storedReason } from "../../components/stored_reason.ts";
import { useList } from "../../components/use_list.ts";
import { AdjustmentForm } from "./adjustment_form.tsx";
import { DecideButtons } from "./decide_buttons.tsx";

const column = columnsOf<Admin["Adjustment"]>();
const states = ["waiting", "booked", "refused"] as const;
const colours = { waiting: "yellow", booked: "green", refused: "gray" } as const;

export function Component() {
  const { t } = useTranslation(["adjustments", "words"]);
  const opened = useOpened("adjustment");
  const list = useList("/adminapi/adjustment", { filters: { state: "text", waiting: "text", uid: "id" } });
  const columns = [
    column.time("add_time", t("words:time")),
    column.member("uid", t("words:member"), { opens: true }),
    column.tag("state", t("words:state"), ({ state }) => [t(`states.${state}`), colours[state]], 160),
    column.money("brokerage", t("brokerage"), { signed: true }),
    column.text("reason", t("reason"), {
      width: 200,
      cell: ({ reason, created_by }) => <Clipped text={storedReason(reason, created_by)} />,
      csv: ({ reason, created_by }) => storedReason(reason, created_by),
    }),
    column.actor("decided_by", t("decidedBy"), {
      width: 192,
      cell: (row) => (row.state === "waiting" ? <DecideButtons adjustment={row} /> : <Actor actor={row.decided_by} />),
    }),
    column.points("frozen_points", t("words:frozenPoints"), { signed: true }),
    column.points("available_points", t("words:availablePoints"), { signed: true }),
    column.words("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { width: 112 }),
    column.actor("created_by", t("madeBy")),
  ];

  const add = (
    <Allowed area="money">
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("add")}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t("title")} about={t("about")} actions={add}>
      <FilterBar of={list} views="adjustments">
        <ChoiceFilter
          name="state"
          label={t("words:state")}
          width={200}
          choices={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        />
        <WaitingFilter kinds={["adjustment"]} />
        <MemberFilter name="uid" label={t("words:member")} />
      </FilterBar>
      <DataTable
        name="adjustments"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
        first={add}
      />
      {opened.id && <AdjustmentForm uid={list.state.get("uid")} onClose={opened.close} />}
    </Page>
  );
}
