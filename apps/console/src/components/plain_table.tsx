import { ActionIcon, Group, Skeleton, Table, Text, VisuallyHidden } from "@mantine/core";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, type MouseEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "./column.ts";
import { DescriptionList } from "./description_list.tsx";
import { ExportButton } from "./export_button.tsx";
import { columnsOfCard, detailsWidth, fitColumns, widthOf } from "./fit_columns.ts";
import { ScrollBox } from "./scroll_box.tsx";
import { InList } from "./time.tsx";
import { useWidth } from "./use_width.ts";

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
  /** Whether the first rows are loading. Placeholders stand for them. */
  isLoading?: boolean;
  /**
   * Makes each row one line, and shows the columns that have no room when the row is opened. The widths are those that
   * were set, by the ids of columns.
   */
  widths?: Record<string, number>;
  /** Whether all rows are shown for paper, on which no row opens. */
  isPrinted?: boolean;
}

const placeholderRows = 6;
/** In a narrower window, each row is a card (styles.css). */
const narrow = 768;

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

/** Names a cell that is cut off by its whole text. */
function tellWhole({ target }: { target: EventTarget }) {
  const cell = (target as Element).closest<HTMLElement>(".data-list td > div");
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : "";
}

/** The columns of a row that have no room in its line. */
function Details<Row>({ row, columns, span }: { row: Row; columns: Column<Row>[]; span: number }) {
  return (
    <Table.Tr role="row" className="row-details">
      <Table.Td role="cell" colSpan={span}>
        <DescriptionList items={columns.map(({ title, cell }) => [title, cell(row)])} />
      </Table.Td>
    </Table.Tr>
  );
}

/** For a list of one-line rows whose columns an administrator cannot arrange. */
export const noWidths: Record<string, number> = {};

/**
 * A table with a sticky header and first column. In a narrow window, each row is a card (styles.css). The roles are
 * explicit, because the display property of a card removes the implicit ones.
 */
export function PlainTable<Row extends object>({
  label,
  columns: all,
  rows,
  rowId,
  empty,
  exportAs,
  maxHeight,
  head,
  ariaSort,
  isStale,
  isBusy,
  isLoading,
  widths,
  isPrinted,
}: PlainTableProps<Row>) {
  const { t } = useTranslation("common");
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const room = useWidth(frame);
  const isWhole = widths === undefined || isPrinted;
  const { shown: columns, details } =
    !isWhole && innerWidth < narrow ? columnsOfCard(all) : fitColumns(all, isWhole ? undefined : room, widths);
  const [opened, setOpened] = useState<ReadonlySet<string | number>>(new Set());
  if (empty !== undefined && rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  const opening = columns.find(({ opens }) => opens) ?? columns.find(({ isControl }) => !isControl);
  const table = (
    <ScrollBox label={label} maxHeight={maxHeight} isFitted={widths !== undefined}>
      <Table
        role="table"
        className={widths ? "data-table data-list" : "data-table"}
        stickyHeader
        stickyHeaderOffset="var(--list-head-top)"
        highlightOnHover
        verticalSpacing={widths ? 0 : "xs"}
        horizontalSpacing={8}
        aria-busy={isBusy}
        {...(isStale && { "data-stale": true })}
      >
        {widths && (
          <colgroup>
            {columns.map((column) => (
              <col key={column.id} style={{ width: widthOf(column, widths) }} />
            ))}
            {details.length > 0 && <col style={{ width: detailsWidth }} />}
          </colgroup>
        )}
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
                {column.head ??
                  head?.(column) ??
                  (column.isControl ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title)}
              </Table.Th>
            ))}
            {details.length > 0 && (
              <Table.Th role="columnheader" scope="col" className="not-printed">
                <VisuallyHidden>{t("moreOf")}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup" onClick={openRow} {...(widths && { onPointerOver: tellWhole })}>
          {isLoading &&
            Array.from({ length: placeholderRows }, (_, line) => (
              <Table.Tr key={line} role="row">
                {columns.map(({ id: column }) => (
                  <Table.Td key={column} role="cell">
                    <Skeleton height={16} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          {rows.map((row, at) => {
            const key = rowId(row);
            const nameId = `${id}-${at}`;
            const isOpen = details.length > 0 && opened.has(key);
            return (
              <Fragment key={key}>
                <Table.Tr role="row">
                  {columns.map((column) => (
                    <Table.Td
                      key={column.id}
                      role="cell"
                      data-label={column.title}
                      ta={column.align}
                      {...(column.isControl && { className: "not-printed" })}
                      {...(column === opening && { "data-opens": true, id: nameId })}
                    >
                      <div>{column.cell(row)}</div>
                    </Table.Td>
                  ))}
                  {details.length > 0 && (
                    <Table.Td role="cell" className="not-printed">
                      <ActionIcon
                        id={`${nameId}-details`}
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={t("moreOf")}
                        aria-labelledby={`${nameId}-details ${nameId}`}
                        aria-expanded={isOpen}
                        onClick={() =>
                          setOpened(new Set([...opened].filter((other) => other !== key).concat(isOpen ? [] : [key])))
                        }
                      >
                        {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
                      </ActionIcon>
                    </Table.Td>
                  )}
                </Table.Tr>
                {isOpen && <Details row={row} columns={details} span={columns.length + 1} />}
              </Fragment>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
  const listed = (
    <div ref={widths && frame}>
      <InList value>{table}</InList>
    </div>
  );
  if (exportAs === undefined) return listed;
  return (
    <>
      {listed}
      <Group mt={4}>
        <ExportButton name={exportAs} label={label} columns={columns} rowId={rowId} rows={rows} count={rows.length} />
      </Group>
    </>
  );
}
