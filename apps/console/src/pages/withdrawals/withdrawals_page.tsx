import { Group, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { formatCount, formatCurrency } from "../../components/figures.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar, MemberFilter, WaitingFilter } from "../../components/filter_bar.tsx";
import { idOf } from "../../components/ids.ts";
import { LongNumber } from "../../components/long_number.tsx";
import { Page } from "../../components/page.tsx";
import { ExportSelection, SelectionBar, useSelectColumn, useSelection } from "../../components/selection.tsx";
import { useList } from "../../components/use_list.ts";
import { type ApprovalLine, ApproveSelected, NotApproved } from "./approve_selected.tsx";
import { Batches, NewBatch, useBatches } from "./batches.tsx";
import {
  type ListedWithdrawal,
  SignalTag,
  TransferState,
  Waits,
  withdrawalMethods,
  WithdrawalState,
  withdrawalStates,
} from "./withdrawal_state.tsx";

const column = columnsOf<ListedWithdrawal>();
const filters = {
  state: "text",
  method: "text",
  uid: "id",
  waiting: "text",
  batch_id: "id",
  from: "day",
  to: "day",
} as const;

export function Component() {
  const { t } = useTranslation(["withdrawals", "words"]);
  const [rejected, setRejected] = useState<ApprovalLine[]>([]);
  const batches = useRef<HTMLDivElement>(null);
  const selection = useSelection<ListedWithdrawal>();
  const list = useList("/adminapi/withdrawal", { filters, isSorted: true });
  const { states, list: rows = [], count = 0 } = list.result.data ?? {};
  const select = useSelectColumn(selection, rows, ({ withdrawal_no }) => t("select", { number: withdrawal_no }));
  const batchId = idOf(list.state.get("batch_id"));
  const batch = useBatches().result.data?.list.find(({ id }) => id === batchId);
  const columns = [
    select,
    column.text("withdrawal_no", t("number"), {
      width: 112,
      cell: ({ id, withdrawal_no }) => <LongNumber number={withdrawal_no} to={`/withdrawals/${id}`} />,
    }),
    column.custom({
      id: "state",
      title: t("words:state"),
      width: 208,
      cell: (row) => (
        <Group gap={4}>
          <WithdrawalState state={row.state} />
          <SignalTag kinds={row.signals} />
          <TransferState withdrawal={row} />
          <Waits withdrawal={row} />
          {row.held_by_refunds && (
            <Text size="xs" fw={600}>
              {t("held.badge", { amount: formatCurrency(row.held_by_refunds) })}
            </Text>
          )}
          {row.debt && (
            <Text size="xs" fw={600}>
              {t("owes", { debt: formatCurrency(row.debt) })}
            </Text>
          )}
        </Group>
      ),
      csv: (row) => t(`states.${row.state}`),
    }),
    column.member("uid", t("member")),
    column.money("amount", t("amount")),
    column.money("net_amount", t("net")),
    column.text("account", t("account"), {
      width: 200,
      cell: ({ method, account }) => (method === "wechat" ? "–" : account || "–"),
    }),
    column.time("add_time", t("requested"), { sort: "id" }),
    column.words("method", t("method"), ({ method }) => t(`methods.${method}`), { width: 84 }),
    column.time("ended_at", t("endedAt"), { sort: true, sortNote: t("openLeftOut") }),
    column.money("fee", t("fee")),
    column.money("tax", t("tax")),
  ];

  return (
    <Page
      title={t("title")}
      about={batch ? `${t("batch")} ${batch.batch_no}` : t("about")}
      actions={
        <Allowed area="money">
          <NewBatch onCreated={() => batches.current?.scrollIntoView()} />
        </Allowed>
      }
    >
      <FilterBar of={list} views="withdrawals">
        <ChoiceFilter
          name="state"
          label={t("words:state")}
          choices={withdrawalStates.map((value) => ({
            value,
            label: `${t(`states.${value}`)}${states ? ` (${formatCount(states[value] ?? 0)})` : ""}`,
          }))}
        />
        <WaitingFilter kinds={["withdrawal_approval", "withdrawal_payment"]} />
        <DayRangeFilter label={t("days")} />
        <MemberFilter name="uid" label={t("member")} />
        <ChoiceFilter
          name="method"
          label={t("method")}
          choices={withdrawalMethods.map((value) => ({ value, label: t(`methods.${value}`) }))}
        />
      </FilterBar>
      {rejected.length > 0 && <NotApproved lines={rejected} onClose={() => setRejected([])} />}
      <DataTable
        name="withdrawals"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
      />
      <SelectionBar label={t("selection")} selection={selection} list={list} count={count}>
        <Allowed area="money">
          <ApproveSelected
            selected={selection.rows.filter(({ state }) => state === "requested")}
            onDone={(lines) => {
              selection.clear();
              setRejected(lines);
            }}
          />
        </Allowed>
        <ExportSelection name="withdrawals" label={t("title")} columns={columns} selection={selection} />
      </SelectionBar>
      <div ref={batches} className={batchId === undefined ? undefined : "not-printed"}>
        <Batches onShow={(id) => list.state.set({ batch_id: String(id), state: "" })} />
      </div>
    </Page>
  );
}
