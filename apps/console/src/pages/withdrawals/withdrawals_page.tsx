import { Alert, Anchor, Button, Group, Modal, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { formatCount, formatCurrency } from "../../components/figures.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar, MemberFilter, WaitingFilter } from "../../components/filter_bar.tsx";
import { idOf } from "../../components/ids.ts";
import { LongNumber } from "../../components/long_number.tsx";
import { Page } from "../../components/page.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { ExportSelection, SelectionBar, useSelectColumn, useSelection } from "../../components/selection.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { Batches, NewBatch, useBatches } from "./batches.tsx";
import {
  TransferState,
  Waits,
  type Withdrawal,
  withdrawalMethods,
  WithdrawalState,
  withdrawalStates,
} from "./withdrawal_state.tsx";

type ApprovalLine = Admin["WithdrawalApproval"]["lines"][number];

const column = columnsOf<Withdrawal>();
const lineColumn = columnsOf<ApprovalLine>();
const filters = {
  state: "text",
  method: "text",
  uid: "id",
  waiting: "text",
  batch_id: "id",
  from: "day",
  to: "day",
} as const;

function sumOf(rows: Withdrawal[]): string {
  // Cents, because sums of floating-point numbers are not exact.
  return (rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
}

/**
 * Approves those of the chosen withdrawals that wait for it.
 * @param onDone is called with what could not be approved
 */
function ApproveSelected({ selected, onDone }: { selected: Withdrawal[]; onDone: (rejected: ApprovalLine[]) => void }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const approve = useAction((ids: number[], key) =>
    admin.PUT("/adminapi/withdrawal/approve", { body: { ids }, ...key }),
  );
  const confirmation = useConfirmedAction(approve, ({ lines }) => {
    const countOf = (result: ApprovalLine["result"]) => lines.filter((line) => line.result === result).length;
    onDone(lines.filter(({ result }) => result === "rejected"));
    if (countOf("approved") === lines.length) return t("approve.done");
    return t("approve.results", {
      approved: countOf("approved"),
      waits: countOf("waits"),
      rejected: countOf("rejected"),
    });
  });
  const count = selected.length;
  const indebted = selected.filter(({ debt }) => debt);
  const held = selected.filter(({ held_by_refunds }) => held_by_refunds);
  return (
    <>
      <Button onClick={confirmation.ask} disabled={count === 0}>
        {t("approve.selected", { count })}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("approve.titleSelected", { count })}
        action={t("approve.open")}
        onConfirm={() => confirmation.confirm(selected.map(({ id }) => id))}
      >
        {t("approve.meaningSelected", { amount: formatCurrency(sumOf(selected)) })}
        {held.length > 0 && (
          <Alert color="orange">
            {t("held.selected", { numbers: held.map(({ withdrawal_no }) => withdrawal_no).join(", ") })}
          </Alert>
        )}
        {indebted.length > 0 && (
          <Alert color="orange">
            {t("approve.debts", { numbers: indebted.map(({ withdrawal_no }) => withdrawal_no).join(", ") })}
          </Alert>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Names the withdrawals that could not be approved, with the reason. */
function NotApproved({ lines, onClose }: { lines: ApprovalLine[]; onClose: () => void }) {
  const { t } = useTranslation(["withdrawals", "common"]);
  const columns = [
    lineColumn.text("withdrawal_no", t("number"), {
      cell: ({ id, withdrawal_no }) => (
        <Anchor component={Link} to={`/withdrawals/${id}`} size="sm" className="figures">
          {withdrawal_no ?? id}
        </Anchor>
      ),
    }),
    lineColumn.words("problem", t("approve.problem"), ({ problem }) =>
      problem ? t(`approve.problems.${problem}`) : "–",
    ),
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("approve.rejected")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <PlainTable
        label={t("approve.rejected")}
        columns={columns}
        rows={lines}
        rowId={({ id }) => id}
        maxHeight={360}
        exportAs="not approved"
      />
    </Modal>
  );
}

export function Component() {
  const { t } = useTranslation(["withdrawals", "words"]);
  const [rejected, setRejected] = useState<ApprovalLine[]>([]);
  const batches = useRef<HTMLDivElement>(null);
  const selection = useSelection<Withdrawal>();
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
      width: 168,
      cell: (row) => (
        <Group gap={4}>
          <WithdrawalState state={row.state} />
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
    column.text("account", t("account"), {
      width: 200,
      cell: ({ method, account }) => (method === "wechat" ? "–" : account || "–"),
    }),
    column.time("add_time", t("requested"), { sort: "id" }),
    column.money("net_amount", t("net")),
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
