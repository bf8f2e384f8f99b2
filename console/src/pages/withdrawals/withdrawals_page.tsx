import { Alert, Anchor, Button, Checkbox, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useAction } from "../../../../web/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { formatCount, formatCurrency, Money } from "../../components/figures.tsx";
import { ChoiceFilter, DayFilter, FilterBar, memberOf, MemberFilter } from "../../components/filter_bar.tsx";
import { memberCsv, MemberLink } from "../../components/links.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { Time } from "../../components/time.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.tsx";
import { Batches } from "./batches.tsx";
import { TransferState, Waits, type Withdrawal, withdrawalMethods, WithdrawalState, withdrawalStates } from "./withdrawal_state.tsx";

const filters = ["state", "method", "uid", "batch_id", "from", "to"] as const;

function sumOf(rows: Withdrawal[]): string {
  // Cents, because sums of floating-point numbers are not exact.
  return (rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
}

/** Approves the selected withdrawals, all or none. */
function ApproveSelected({ selected, onDone }: { selected: Withdrawal[]; onDone: () => void }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const approve = useAction((ids: number[], key) => admin.PUT("/adminapi/withdrawal/approve", { body: { ids }, ...key }));
  const confirmation = useConfirmedAction(approve, () => {
    onDone();
    return t("approve.done");
  });
  const count = formatCount(selected.length);
  const indebted = selected.filter(({ debt }) => debt);
  return (
    <>
      <Button onClick={confirmation.ask} disabled={selected.length === 0}>
        {t("approve.selected", { count: count as never })}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("approve.titleSelected", { count: count as never })}
        action={t("approve.open")}
        onConfirm={() => confirmation.confirm(selected.map(({ id }) => id))}
      >
        {t("approve.meaningSelected", { amount: formatCurrency(sumOf(selected)) })}
        {indebted.length > 0 && (
          <Alert color="orange">{t("approve.debts", { numbers: indebted.map(({ withdrawal_no }) => withdrawal_no).join(", ") })}</Alert>
        )}
      </ConfirmDialog>
    </>
  );
}

export function Component() {
  const { t } = useTranslation(["withdrawals", "words"]);
  const state = useListState();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const uid = memberOf(state, "uid");
  const days = useStoreDays(state.get("from"), state.get("to"));
  const batch = Number(state.get("batch_id"));
  const source = {
    path: "/adminapi/withdrawal",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("state") && { state: state.get("state") as Withdrawal["state"] }),
        ...(state.get("method") && { method: state.get("method") as Withdrawal["method"] }),
        ...(uid && { uid }),
        ...(Number.isInteger(batch) && batch > 0 && { batch_id: batch }),
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
  const states = result.data?.states;
  const selected = (result.data?.list ?? []).filter((row) => row.state === "requested" && chosen.has(row.id));
  const columns = useMemo<Column<Withdrawal>[]>(
    () => [
      {
        id: "number",
        title: t("number"),
        cell: ({ id, withdrawal_no }) => (
          <Anchor component={Link} to={`/withdrawals/${id}`} size="sm" className="figures">
            {withdrawal_no}
          </Anchor>
        ),
        csv: ({ withdrawal_no }) => withdrawal_no,
      },
      {
        id: "select",
        title: t("approve.open"),
        cell: (row) =>
          row.state === "requested" && (
            <Checkbox
              aria-label={t("select", { number: row.withdrawal_no })}
              checked={chosen.has(row.id)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen((old) => new Set(checked ? [...old, row.id] : [...old].filter((id) => id !== row.id)))
              }
            />
          ),
      },
      {
        id: "state",
        title: t("words:state"),
        cell: (row) => (
          <>
            <WithdrawalState state={row.state} />
            <TransferState withdrawal={row} />
            <Waits withdrawal={row} />
            {row.debt && (
              <Text size="xs" fw={600}>
                {t("owes", { debt: formatCurrency(row.debt) })}
              </Text>
            )}
          </>
        ),
        csv: (row) => t(`states.${row.state}`),
      },
      {
        id: "member",
        title: t("member"),
        cell: ({ uid: member, nickname }) => <MemberLink uid={member} nickname={nickname} />,
        csv: ({ uid: member, nickname }) => memberCsv(member, nickname),
      },
      { id: "amount", title: t("amount"), align: "right", cell: ({ amount }) => <Money value={amount} />, csv: ({ amount }) => amount },
      { id: "fee", title: t("fee"), align: "right", cell: ({ fee }) => <Money value={fee} />, csv: ({ fee }) => fee },
      {
        id: "net",
        title: t("net"),
        align: "right",
        cell: ({ net_amount }) => <Money value={net_amount} />,
        csv: ({ net_amount }) => net_amount,
      },
      { id: "method", title: t("method"), cell: ({ method }) => t(`methods.${method}`), csv: ({ method }) => t(`methods.${method}`) },
      {
        id: "account",
        title: t("account"),
        cell: ({ method, account }) => (method === "wechat" ? "–" : account || "–"),
        csv: ({ account }) => account,
      },
      { id: "requested", title: t("requested"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      { id: "ended", title: t("endedAt"), cell: ({ ended_at }) => <Time value={ended_at} />, csv: ({ ended_at }) => ended_at },
    ],
    [t, chosen],
  );

  return (
    <Page
      title={t("title")}
      about={t("about")}
      actions={
        <Allowed area="money">
          <ApproveSelected selected={selected} onDone={() => setChosen(new Set())} />
        </Allowed>
      }
    >
      <FilterBar state={state} names={filters}>
        <ChoiceFilter
          state={state}
          name="state"
          label={t("words:state")}
          width={220}
          choices={withdrawalStates.map((value) => ({
            value,
            label: `${t(`states.${value}`)}${states ? ` (${formatCount(states[value] ?? 0)})` : ""}`,
          }))}
        />
        <ChoiceFilter
          state={state}
          name="method"
          label={t("method")}
          choices={withdrawalMethods.map((value) => ({ value, label: t(`methods.${value}`) }))}
        />
        <MemberFilter state={state} name="uid" label={t("member")} />
        <DayFilter state={state} name="from" label={t("from")} />
        <DayFilter state={state} name="to" label={t("to")} />
      </FilterBar>
      <DataTable
        name="withdrawals"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
      <Batches approved={states?.approved} onShow={(id) => state.set({ batch_id: String(id), state: "" })} />
    </Page>
  );
}
