import { Button, Group, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Actor, actorCsv } from "../../components/actor.tsx";
import { Count, Money, Points } from "../../components/figures.tsx";
import { useListState } from "../../components/list_state.ts";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";
import { BillSums } from "../members/bill_sums.tsx";
import { CloseMonthButton } from "./close_month_button.tsx";

type ClosedMonth = Admin["ClosedMonth"];

/** The months that are over and not closed, the oldest first, because months are closed in this order. */
function OpenMonths({ months }: { months: string[] }) {
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

/** The closed months with their totals. Shows the sums of one of them by bill type. */
function ClosedMonths({ months }: { months: ClosedMonth[] }) {
  const { t } = useTranslation(["finance", "words"]);
  const state = useListState();
  const shown = months.find(({ month }) => month === state.get("month"));
  const columns = useMemo<Column<ClosedMonth>[]>(
    () => [
      { id: "month", title: t("months.month"), cell: ({ month }) => <span className="figures">{month}</span>, csv: ({ month }) => month },
      {
        id: "rows",
        title: t("months.rows"),
        align: "right",
        cell: ({ total }) => <Count value={total.rows} />,
        csv: ({ total }) => total.rows,
      },
      {
        id: "brokerage",
        title: t("words:commission"),
        align: "right",
        cell: ({ total }) => <Money value={total.brokerage} signed />,
        csv: ({ total }) => total.brokerage,
      },
      {
        id: "frozen",
        title: t("words:frozenPoints"),
        align: "right",
        cell: ({ total }) => <Points value={total.frozen_points} signed />,
        csv: ({ total }) => total.frozen_points,
      },
      {
        id: "available",
        title: t("words:availablePoints"),
        align: "right",
        cell: ({ total }) => <Points value={total.available_points} signed />,
        csv: ({ total }) => total.available_points,
      },
      { id: "closed", title: t("months.closedAt"), cell: ({ closed_at }) => <Time value={closed_at} />, csv: ({ closed_at }) => closed_at },
      {
        id: "by",
        title: t("months.closedBy"),
        cell: ({ closed_by }) => <Actor actor={closed_by} />,
        csv: ({ closed_by }) => actorCsv(closed_by),
      },
      {
        id: "sums",
        title: t("months.sums"),
        cell: ({ month }) => (
          <Button size="compact-sm" variant="subtle" aria-label={t("months.showOf", { month })} onClick={() => state.set({ month })}>
            {t("months.show")}
          </Button>
        ),
      },
    ],
    [t, state],
  );
  return (
    <>
      <Section title={t("months.closed")}>
        {months.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t("months.noneClosed")}
          </Text>
        ) : (
          <PlainTable label={t("months.closed")} columns={columns} rows={months} rowId={({ month }) => month} exportAs="closed months" />
        )}
      </Section>
      {shown && (
        <Section title={t("months.sumsOf", { month: shown.month })}>
          <BillSums
            name={`sums of ${shown.month}`}
            label={t("months.sumsOf", { month: shown.month })}
            sums={shown.sums}
            empty={t("months.noRows")}
          />
        </Section>
      )}
    </>
  );
}

/** The closing of months. */
export function Months() {
  const result = useAdmin().useQuery("get", "/adminapi/month");
  return (
    <QueryResult of={result}>
      {({ open, closed }) => (
        <Stack>
          <OpenMonths months={open} />
          <ClosedMonths months={closed} />
        </Stack>
      )}
    </QueryResult>
  );
}
