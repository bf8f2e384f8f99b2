import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Actor } from "../../components/actor.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { Tag } from "../../components/tag.tsx";
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
    column.tag("state", t("words:state"), ({ state }) => [t(`states.${state}`), colours[state]]),
    column.actor("decided_by", t("decidedBy"), {
      cell: (row) => (row.state === "waiting" ? <DecideButtons adjustment={row} /> : <Actor actor={row.decided_by} />),
    }),
    column.money("brokerage", t("brokerage"), { signed: true }),
    column.points("frozen_points", t("words:frozenPoints"), { signed: true }),
    column.points("available_points", t("words:availablePoints"), { signed: true }),
    // In the table, the kind stands with the reason, because a column of its own would not fit in a window of 1280
    // pixels.
    column.words("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { isFileOnly: true }),
    column.text("reason", t("reason"), {
      cell: ({ kind, reason, created_by }) => (
        <>
          {kind !== "correction" && <Tag color="blue">{t(`kinds.${kind}`)}</Tag>}
          <Clipped text={storedReason(reason, created_by)} />
        </>
      ),
      csv: ({ reason, created_by }) => storedReason(reason, created_by),
    }),
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
