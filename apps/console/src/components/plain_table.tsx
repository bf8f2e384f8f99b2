import { Group, Table, Text, VisuallyHidden } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import type { Column } from "./column.ts";
import { ExportButton } from "./export_button.tsx";
import { ScrollBox } from "./scroll_box.tsx";

interface PlainTableProps<Row> {
  /** The label for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string | number;
  /** Shown instead of the table if there are no rows. */
  empty?: string;
  /** The name of the exported file. Without it, there is no export. */
  exportAs?: string;
  /** The maximum height of a part of a page that scrolls by itself. Without it, the page scrolls. */
  maxHeight?: number | undefined;
  /**
   * The content of a column header, if it is not the title, which screen readers alone are told of a column of
   * controls.
   */
  head?: (column: Column<Row>) => ReactNode;
  ariaSort?: (column: Column<Row>) => "ascending" | "descending" | "none" | undefined;
  /** Whether the rows are being reloaded. They are then dimmed. */
  isStale?: boolean;
  isBusy?: boolean;
  /** The number of placeholder rows while the first rows are loading. */
  placeholder?: ReactNode;
}

const controls = "a, button, input, label, select, textarea, summary";

/**
 * Follows the link of the row that is clicked, with the keys that are held, unless the click is on a control or ends
 * the selection of a text.
 */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent) {
  const element = target as Element;
  const row = element.closest("tr");
  // A dialog of a row is within it for React only.
  if (!row || !currentTarget.contains(row) || element.closest(controls) || getSelection()?.type === "Range") return;
  row
    .querySelector("[data-opens] a[href]")
    ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/**
 * A table with a sticky header and first column. In a narrow window, each row is a card (styles.css). The roles are
 * explicit, because the display property of a card removes the implicit ones.
 */
export function PlainTable<Row extends object>({
  label,
  columns,
  rows,
  rowId,
  empty,
  exportAs,
  maxHeight,
  head,
  ariaSort,
  isStale,
  isBusy,
  placeholder,
}: PlainTableProps<Row>) {
  if (empty !== undefined && rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  const opening = columns.find(({ opens }) => opens) ?? columns[0];
  const table = (
    <ScrollBox label={label} maxHeight={maxHeight}>
      <Table
        role="table"
        className="data-table"
        stickyHeader
        stickyHeaderOffset="var(--list-head-top)"
        highlightOnHover
        verticalSpacing="xs"
        horizontalSpacing={8}
        aria-busy={isBusy}
        {...(isStale && { "data-stale": true })}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th
                key={column.id}
                role="columnheader"
                scope="col"
                {...(column.isControl && { className: "not-printed" })}
                ta={column.align}
                aria-sort={ariaSort?.(column)}
              >
                {head?.(column) ?? (column.isControl ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup" onClick={openRow}>
          {placeholder}
          {rows.map((row) => (
            <Table.Tr key={rowId(row)} role="row">
              {columns.map((column) => (
                <Table.Td
                  key={column.id}
                  role="cell"
                  data-label={column.title}
                  ta={column.align}
                  {...(column.isControl && { className: "not-printed" })}
                  {...(column === opening && { "data-opens": true })}
                >
                  <div>{column.cell(row)}</div>
                </Table.Td>
              ))}
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
      <Group mt={4}>
        <ExportButton name={exportAs} label={label} columns={columns} rowId={rowId} rows={rows} count={rows.length} />
      </Group>
    </>
  );
}
