import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import type { Column } from "../../components/column.ts";
import { formatMoney, formatPoints, Money, Points } from "../../components/figures.tsx";
import { useMemberName } from "../../components/links.tsx";
import { BillRowLink } from "../bill/bill_row_link.tsx";

type BillRow = Admin["BillRow"];

const column = columnsOf<BillRow>();

/** A change of a balance, with the new balance below it. Empty without a change. */
function Change({ isChanged, change, after }: { isChanged: boolean; change: React.ReactNode; after: string }) {
  const { t } = useTranslation("members");
  if (!isChanged) return null;
  return (
    <Stack gap={0}>
      {change}
      <Text size="xs" c="dimmed" className="figures">
        {t("bill.after", { amount: after })}
      </Text>
    </Stack>
  );
}

/**
 * The origin of a row: its type and source, its calculation, the row that it reverses and, where they are known, those
 * that reverse it.
 */
function Origin({
  row: { type, source, basis, rate, reverses_id, reversed_by = [] },
}: {
  row: BillRow & { reversed_by?: number[] };
}) {
  const { t } = useTranslation(["members", "words"]);
  return (
    <Stack gap={0}>
      <Text size="sm">
        {t(`words:billType.${type}`)}
        {source !== "release" && (
          <Text span c="dimmed" size="xs">
            {" "}
            {t(`words:source.${source}`)}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed" className="figures">
        {basis !== null && rate !== null && t("bill.how", { basis: formatPoints(basis), rate: formatPoints(rate) })}
      </Text>
      {reverses_id && <BillRowLink id={reverses_id} label={t("bill.reverses", { id: reverses_id })} />}
      {reversed_by.map((id) => (
        <BillRowLink key={id} id={id} label={t("bill.reversedBy", { id })} />
      ))}
    </Stack>
  );
}

/** The columns of a bill. @param withMember for rows of several members */
export function useBillColumns(withMember = false): Column<BillRow>[] {
  const { t } = useTranslation(["members", "words"]);
  const nameOf = useMemberName();
  const pointsColumn = (key: "frozen_points" | "available_points", title: string) =>
    column.points(key, title, {
      cell: (row) => (
        <Change
          isChanged={row[key] !== 0}
          change={<Points value={row[key]} signed />}
          after={formatPoints(row[`${key}_after`])}
        />
      ),
    });
  return [
    column.time("add_time", t("words:time")),
    ...(withMember ? [column.member("uid", t("words:member"), { name: nameOf })] : []),
    column.custom({
      id: "origin",
      title: t("bill.type"),
      cell: (row) => <Origin row={row} />,
      csv: ({ type, source }) =>
        [t(`words:billType.${type}`), source !== "release" && t(`words:source.${source}`)].filter(Boolean).join(", "),
    }),
    ...(withMember ? [] : [column.order("order_id", t("words:order"))]),
    column.money("brokerage", t("bill.brokerage"), {
      cell: (row) => (
        <Change
          isChanged={Number(row.brokerage) !== 0}
          change={<Money value={row.brokerage} signed />}
          after={formatMoney(row.brokerage_after)}
        />
      ),
    }),
    pointsColumn("frozen_points", t("bill.frozen")),
    pointsColumn("available_points", t("bill.available")),
  ];
}
