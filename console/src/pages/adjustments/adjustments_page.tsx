import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor, actorCsv } from "../../components/actor.tsx";
import { Allowed } from "../../components/allowed.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { Money, Points } from "../../components/figures.tsx";
import { ChoiceFilter, FilterBar, memberOf, MemberFilter } from "../../components/filter_bar.tsx";
import { memberCsv, MemberLink } from "../../components/links.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";
import { AdjustmentForm } from "./adjustment_form.tsx";
import { DecideButtons } from "./decide_buttons.tsx";

type Adjustment = Admin["Adjustment"];

const filters = ["state", "uid"] as const;
const states = ["waiting", "booked", "refused"] as const;
const colours = { waiting: "yellow", booked: "green", refused: "gray" } as const;

export function Component() {
  const { t } = useTranslation(["adjustments", "words"]);
  const state = useListState();
  const [isAdding, setAdding] = useState(false);
  const uid = memberOf(state, "uid");
  const source = {
    path: "/adminapi/adjustment",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("state") && { state: state.get("state") as Adjustment["state"] }),
        ...(uid && { uid }),
      },
    },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const columns = useMemo<Column<Adjustment>[]>(
    () => [
      { id: "time", title: t("words:time"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      {
        id: "member",
        title: t("words:member"),
        cell: ({ uid: member, nickname }) => <MemberLink uid={member} nickname={nickname} />,
        csv: ({ uid: member, nickname }) => memberCsv(member, nickname),
      },
      {
        id: "state",
        title: t("words:state"),
        cell: (row) => <Tag color={colours[row.state]}>{t(`states.${row.state}`)}</Tag>,
        csv: (row) => t(`states.${row.state}`),
      },
      {
        id: "brokerage",
        title: t("brokerage"),
        align: "right",
        cell: ({ brokerage }) => <Money value={brokerage} signed />,
        csv: ({ brokerage }) => brokerage,
      },
      {
        id: "frozen",
        title: t("words:frozenPoints"),
        align: "right",
        cell: ({ frozen_points }) => <Points value={frozen_points} signed />,
        csv: ({ frozen_points }) => frozen_points,
      },
      {
        id: "available",
        title: t("words:availablePoints"),
        align: "right",
        cell: ({ available_points }) => <Points value={available_points} signed />,
        csv: ({ available_points }) => available_points,
      },
      { id: "reason", title: t("reason"), cell: ({ reason }) => <Clipped text={reason} />, csv: ({ reason }) => reason },
      {
        id: "maker",
        title: t("madeBy"),
        cell: ({ created_by }) => <Actor actor={created_by} />,
        csv: ({ created_by }) => actorCsv(created_by),
      },
      {
        id: "decider",
        title: t("decidedBy"),
        cell: ({ decided_by, decided_at }) => (decided_at ? <Actor actor={decided_by} /> : "–"),
        csv: ({ decided_by }) => actorCsv(decided_by),
      },
      { id: "decide", title: t("approve.open"), cell: (row) => row.state === "waiting" && <DecideButtons adjustment={row} /> },
    ],
    [t],
  );

  return (
    <Page
      title={t("title")}
      about={t("about")}
      actions={
        <Allowed area="money">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            {t("add")}
          </Button>
        </Allowed>
      }
    >
      <FilterBar state={state} names={filters}>
        <ChoiceFilter
          state={state}
          name="state"
          label={t("words:state")}
          width={200}
          choices={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        />
        <MemberFilter state={state} name="uid" label={t("words:member")} />
      </FilterBar>
      <DataTable
        name="adjustments"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
      {isAdding && <AdjustmentForm uid={state.get("uid")} onClose={() => setAdding(false)} />}
    </Page>
  );
}
