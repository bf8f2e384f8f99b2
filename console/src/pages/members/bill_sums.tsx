import { Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Count, Money, Points } from "../../components/figures.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";

type BillSum = Admin["BillSum"];

/** The sums of bill rows of a month, by type and source. @param name of the exported file */
export function BillSums({ name, label, sums, empty }: { name: string; label: string; sums: BillSum[]; empty: string }) {
  const { t } = useTranslation(["members", "words"]);
  const columns = useMemo<Column<BillSum>[]>(() => {
    const typeOf = ({ type }: BillSum) => t(`words:billType.${type}`);
    const sourceOf = ({ source }: BillSum) => t(`words:source.${source}`);
    return [
      { id: "type", title: t("bill.type"), cell: typeOf, csv: typeOf },
      { id: "source", title: t("words:reason"), cell: sourceOf, csv: sourceOf },
      { id: "rows", title: t("statement.rowCount"), align: "right", cell: ({ rows }) => <Count value={rows} />, csv: ({ rows }) => rows },
      {
        id: "brokerage",
        title: t("words:commission"),
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
    ];
  }, [t]);
  if (sums.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  return <PlainTable label={label} columns={columns} rows={sums} rowId={({ type, source }) => `${type} ${source}`} exportAs={name} />;
}
