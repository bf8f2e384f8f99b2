import { Group, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Column } from "./column.ts";
import { ExportButton } from "./export_button.tsx";
import { ScrollBox } from "./scroll_box.tsx";

export type { Column };

interface PlainTableProps<Row> {
  /** What the table lists; read by screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string | number;
  /** The rows can be exported to a file of this name. */
  exportAs?: string;
  /** A table never grows higher than the window; one among other things may be given less. */
  maxHeight?: number | undefined;
  /** What stands in a head instead of its title. */
  head?: (column: Column<Row>) => ReactNode;
  ariaSort?: (column: Column<Row>) => "ascending" | "descending" | "none" | undefined;
  /** Rows that are being read anew are dimmed. */
  isStale?: boolean;
  isBusy?: boolean;
  /** Rows that stand in while there are none yet. */
  placeholder?: ReactNode;
}

/**
 * Rows under columns. Heads and first column stay in sight; on a narrow window each row is a card (styles.css). The roles are given
 * because the display of a card would otherwise take them from the elements.
 */
export function PlainTable<Row extends object>({ label, columns, rows, rowId, exportAs, maxHeight, head, ariaSort, isStale, isBusy, placeholder }: PlainTableProps<Row>) {
  const table = (
    <ScrollBox label={label} maxHeight={maxHeight}>
      <Table role="table" className="data-table" stickyHeader highlightOnHover verticalSpacing="xs" horizontalSpacing="xs" aria-busy={isBusy} {...(isStale && { "data-stale": true })}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => <Table.Th key={column.id} role="columnheader" scope="col" ta={column.align} aria-sort={ariaSort?.(column)}>{head?.(column) ?? column.title}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {placeholder}
          {rows.map((row) => (
            <Table.Tr key={rowId(row)} role="row">
              {columns.map(({ id, title, align, cell }) => <Table.Td key={id} role="cell" data-label={title} ta={align}><div>{cell(row)}</div></Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
  if (exportAs === undefined) return table;
  return (
    <>
      {table}
      <Group mt={4}><ExportButton name={exportAs} label={label} columns={columns} rowId={rowId} rows={rows} count={rows.length} /></Group>
    </>
  );
}
