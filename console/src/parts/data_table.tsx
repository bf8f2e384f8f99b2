import { Box, Center, Group, Pagination, Paper, Skeleton, Table, Text, UnstyledButton } from "@mantine/core";
import { type ColumnDef, tableFeatures, useTable } from "@tanstack/react-table";
import type { UseQueryResult } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "./failure_alert.tsx";
import { formatCount } from "./figures.tsx";
import type { ListState } from "./list_state.ts";

// Paging, sorting and filters are the store's business; the table only needs columns and rows.
const features = tableFeatures({});

/** One column. `sort` is the name by which the store sorts. */
export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Amounts are aligned at their end. */
  align?: "right";
  sort?: string;
}

interface DataTableProps<Row> {
  /** What the table lists; read by screen readers. */
  label: string;
  columns: Column<Row>[];
  rowId: (row: Row) => string | number;
  answer: UseQueryResult<{ list: Row[]; count: number } | undefined, unknown>;
  /** Said where there is no row. */
  empty: string;
  /** Leave out for a list that is not paged. */
  state?: ListState;
  pageSize?: number;
}

/** The rows of a page by default. */
export const defaultPageSize = 20;

function SortButton({ title, name, state }: { title: string; name: string; state: ListState }) {
  const sort = state.get("sort");
  const Icon = sort === name ? ArrowUp : sort === `-${name}` ? ArrowDown : ChevronsUpDown;
  // Amounts are mostly wanted from the top.
  const next = sort === `-${name}` ? name : sort === name ? "" : `-${name}`;
  return (
    <UnstyledButton fz="sm" onClick={() => state.set({ sort: next })}>
      <Group gap={4} wrap="nowrap" justify="inherit">{title}<Icon size={14} aria-hidden /></Group>
    </UnstyledButton>
  );
}

function ariaSort(state: ListState | undefined, name: string | undefined): "ascending" | "descending" | "none" | undefined {
  if (!state || !name) return undefined;
  const sort = state.get("sort");
  return sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
}

/** A list of the store as a table: loading, empty and failed states, sorting by its heads, pages at its foot. */
export function DataTable<Row extends object>({ label, columns, rowId, answer, empty, state, pageSize = defaultPageSize }: DataTableProps<Row>) {
  const { t } = useTranslation("common");
  const definitions = useMemo<ColumnDef<typeof features, Row>[]>(() => columns.map(({ id, cell }) => ({ id, cell: ({ row }) => cell(row.original) })), [columns]);
  const rows = answer.data?.list;
  const table = useTable({ features, columns: definitions, data: useMemo(() => rows ?? [], [rows]), getRowId: (row) => String(rowId(row)) });
  const alignOf = (id: string) => columns.find((column) => column.id === id)?.align;

  if (answer.error) return <FailureAlert error={answer.error} onRetry={() => void answer.refetch()} />;
  const count = answer.data?.count ?? 0;
  const pages = Math.ceil(count / pageSize);
  return (
    <Paper withBorder>
      <Box tabIndex={0} role="region" aria-label={label} style={{ overflowX: "auto" }}>
        <Table className="data-table" highlightOnHover verticalSpacing="xs" horizontalSpacing="sm" aria-busy={answer.isFetching} {...(answer.isPlaceholderData && { "data-stale": true })}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ id, title, align, sort }) => (
                <Table.Th key={id} scope="col" ta={align} aria-sort={ariaSort(state, sort)}>
                  {sort && state ? <SortButton title={title} name={sort} state={state} /> : title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {!rows && Array.from({ length: 6 }, (_, line) => (
              <Table.Tr key={line}>{columns.map(({ id }) => <Table.Td key={id}><Skeleton height={16} /></Table.Td>)}</Table.Tr>
            ))}
            {table.getRowModel().rows.map((row) => (
              <Table.Tr key={row.id}>
                {row.getAllCells().map((cell) => <Table.Td key={cell.id} ta={alignOf(cell.column.id)}><table.FlexRender cell={cell} /></Table.Td>)}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {rows?.length === 0 && <Center p="xl"><Text c="dimmed" role="status">{empty}</Text></Center>}
      {rows && rows.length > 0 && (
        <Group justify="space-between" p="sm" px="md" gap="xs">
          <Text size="sm" c="dimmed" role="status">{t("count", { count: formatCount(count) as never })}</Text>
          {state && pages > 1 && (
            <Pagination
              size="sm"
              value={state.page}
              total={pages}
              onChange={state.setPage}
              getControlProps={(control) => ({ "aria-label": t(`paging.${control}`) })}
              getItemProps={(page) => ({ "aria-label": t("paging.page", { page }) })}
            />
          )}
        </Group>
      )}
    </Paper>
  );
}
