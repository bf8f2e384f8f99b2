import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { useListState } from "../../components/list_state.ts";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useAdmin } from "../../store/store.ts";
import { BillSums } from "../members/bill_sums.tsx";
import { CloseMonthButton } from "./close_month_button.tsx";
import { Seal } from "./seal.tsx";

type ClosedMonth = Admin["ClosedMonth"];

const column = columnsOf<ClosedMonth & ClosedMonth["total"] & { sealed_at: string | null }>();

/** The months that are over and not closed, the oldest first, because months are closed in this order. */
function MonthsToClose({ months }: { months: string[] }) {
  const { t } = useTranslation("finance");
  const oldestFirst = months.toSorted();
  return (
    <Section title={t("months.open")} about={t("months.openAbout")}>
      {months.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("months.noneOpen")}
        </Text>
      )}
      <Group>
        {oldestFirst.map((month, place) => (
          <CloseMonthButton key={month} month={month} earlier={oldestFirst.slice(0, place)} />
        ))}
      </Group>
    </Section>
  );
}

/** The closed months with their totals. Shows the sums of one of them by bill type, and its seal. */
function ClosedMonths({ months }: { months: ClosedMonth[] }) {
  const { t } = useTranslation(["finance", "words"]);
  const state = useListState();
  const shown = months.find(({ month }) => month === state.get("month"));
  const columns = [
    column.text("month", t("months.month"), { cell: ({ month }) => <span className="figures">{month}</span> }),
    column.tag("state", t("months.state"), ({ seal }) =>
      seal === null ? [t("months.isClosed"), "gray"] : [t("months.isSealed"), "green"],
    ),
    column.count("rows", t("months.rows")),
    column.money("brokerage", t("words:commission"), { signed: true }),
    column.points("frozen_points", t("words:frozenPoints"), { signed: true }),
    column.points("available_points", t("words:availablePoints"), { signed: true }),
    column.time("closed_at", t("months.closedAt")),
    column.actor("closed_by", t("months.closedBy")),
    column.time("sealed_at", t("months.sealedAt")),
    column.custom({
      id: "sums",
      title: t("months.sums"),
      cell: ({ month }) => (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t("months.showOf", { month })}
          onClick={() => state.set({ month })}
        >
          {t("months.show")}
        </Button>
      ),
    }),
  ];
  const newest = months
    .filter(({ seal }) => seal !== null)
    .toSorted((one, other) => other.month.localeCompare(one.month))[0];
  return (
    <>
      <Section title={t("months.closed")}>
        {newest?.seal && (
          <Text size="sm">
            {t("seal.newest", { month: newest.month })}{" "}
            <Text span className="figures" style={{ overflowWrap: "anywhere" }}>
              {newest.seal.root}
            </Text>
          </Text>
        )}
        <PlainTable
          label={t("months.closed")}
          columns={columns}
          rows={months.map((month) => ({ ...month, ...month.total, sealed_at: month.seal?.sealed_at ?? null }))}
          rowId={({ month }) => month}
          empty={t("months.noneClosed")}
          exportAs="closed months"
        />
      </Section>
      {shown && (
        <>
          <Section title={t("months.sumsOf", { month: shown.month })}>
            <BillSums
              name={`sums of ${shown.month}`}
              label={t("months.sumsOf", { month: shown.month })}
              sums={shown.sums}
              empty={t("months.noRows")}
            />
          </Section>
          <Seal month={shown.month} seal={shown.seal} />
        </>
      )}
    </>
  );
}

/** Closes months: what waits stands above `children`, what is done below. */
export function Months({ children }: { children: ReactNode }) {
  const result = useAdmin("/adminapi/month");
  return (
    <Stack>
      <QueryResult of={result} lines={2}>
        {({ open }) => <MonthsToClose months={open} />}
      </QueryResult>
      {children}
      {result.data && <ClosedMonths months={result.data.closed} />}
    </Stack>
  );
}
