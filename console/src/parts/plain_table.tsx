import { Table } from "@mantine/core";
import { type ColumnDef, columnVisibilityFeature, tableFeatures, useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { ScrollBox } from "./scroll_box.tsx";

// Paging, sorting and filters are the store's business; the table only needs columns, and to know which of them are shown.
const features = tableFeatures({ columnVisibilityFeature });

/** One column. */
export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Amounts are aligned at their end. */
  align?: "right";
  /** The name by which the store sorts, where it does. */
  sort?: string;
}

interface PlainTableProps<Row> {
  /** What the table lists; read by screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string | number;
  /** Columns that are not shown. */
  hidden?: readonly string[];
  /** A long table scrolls within, below its heads. */
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

const none: readonly string[] = [];

/** Rows under columns. */
export function PlainTable<Row extends object>({ label, columns, rows, rowId, hidden = none, maxHeight, head, ariaSort, isStale, isBusy, placeholder }: PlainTableProps<Row>) {
  const definitions = useMemo<ColumnDef<typeof features, Row>[]>(() => columns.map(({ id, cell }) => ({ id, cell: ({ row }) => cell(row.original) })), [columns]);
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden]);
  const table = useTable({ features, columns: definitions, data: rows, getRowId: (row) => String(rowId(row)), state: { columnVisibility } });
  const columnOf = (id: string) => columns.find((column) => column.id === id)!;

  return (
    <ScrollBox label={label} maxHeight={maxHeight}>
      <Table className="data-table" stickyHeader={maxHeight !== undefined} highlightOnHover verticalSpacing="xs" horizontalSpacing="sm" aria-busy={isBusy} {...(isStale && { "data-stale": true })}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map(({ id }) => {
                const column = columnOf(id);
                return <Table.Th key={id} scope="col" ta={column.align} aria-sort={ariaSort?.(column)}>{head?.(column) ?? column.title}</Table.Th>;
              })}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {placeholder}
          {table.getRowModel().rows.map((row) => (
            <Table.Tr key={row.id}>
              {row.getVisibleCells().map((cell) => <Table.Td key={cell.id} ta={columnOf(cell.column.id).align}><table.FlexRender cell={cell} /></Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
