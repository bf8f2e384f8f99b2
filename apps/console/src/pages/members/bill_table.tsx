import type { Admin } from "../../../../client/index.ts";
import { noWidths, PlainTable } from "../../components/plain_table.tsx";
import { useBillColumns } from "./bill_columns.tsx";

/** Bill rows of several members, without pages. @param name of the exported file */
export function BillTable({
  name,
  label,
  rows,
  empty,
}: {
  name: string;
  label: string;
  rows: Admin["BillRow"][];
  empty: string;
}) {
  const columns = useBillColumns(true);
  return (
    <PlainTable
      label={label}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      empty={empty}
      exportAs={name}
      maxHeight={420}
      widths={noWidths}
    />
  );
}
