import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { PlainTable } from "../../components/plain_table.tsx";

type BillSum = Admin["BillSum"];

const column = columnsOf<BillSum>();

/** The sums of bill rows of a month, by type and source. @param name of the exported file */
export function BillSums({
  name,
  label,
  sums,
  empty,
}: {
  name: string;
  label: string;
  sums: BillSum[];
  empty: string;
}) {
  const { t } = useTranslation(["members", "words"]);
  const columns = [
    column.words("type", t("bill.type"), ({ type }) => t(`words:billType.${type}`)),
    column.words("source", t("words:reason"), ({ source }) => t(`words:source.${source}`)),
    column.count("rows", t("statement.rowCount")),
    column.money("brokerage", t("words:commission"), { signed: true }),
    column.points("frozen_points", t("words:frozenPoints"), { signed: true }),
    column.points("available_points", t("words:availablePoints"), { signed: true }),
  ];
  return (
    <PlainTable
      label={label}
      columns={columns}
      rows={sums}
      rowId={({ type, source }) => `${type} ${source}`}
      empty={empty}
      exportAs={name}
    />
  );
}
