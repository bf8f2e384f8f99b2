import {
  ActionIcon,
  Checkbox,
  Group,
  Pagination,
  Paper,
  Popover,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { UseQueryResult } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, ChevronsUpDown, Columns3 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ExportButton } from "./export_button.tsx";
import { FailureAlert } from "./failure_alert.tsx";
import type { Column } from "./column.ts";
import type { ListState } from "./list_state.ts";
import { PlainTable } from "./plain_table.tsx";
import { PrintAllButton } from "./print_all_button.tsx";
import { type ListSource, rowsOfPage } from "./use_list.ts";

interface DataTableProps<Row> {
  /** The key of the hidden columns in the browser's storage, and the name of an exported file. */
  name: string;
  /** The label for screen readers. */
  label: string;
  columns: Column<Row>[];
  rowId: (row: Row) => string | number;
  /**
   * A list of `useList`, or one without pages, which has no state. `source` is where an export reads rows that are not
   * shown.
   */
  list: {
    result: UseQueryResult<{ list: Row[]; count: number } | undefined, unknown>;
    state?: ListState;
    source?: ListSource;
    names?: readonly string[];
  };
  /** The message if there are no rows. */
  empty: string;
  /** The action that adds the first row. Shown below the message, unless filters hide the rows. */
  first?: ReactNode;
  /** The store does not count more rows than one beyond this number. */
  mostCounted?: number;
}

const placeholderRows = 6;

function SortButton({ title, name, state }: { title: string; name: string; state: ListState }) {
  const sort = state.get("sort");
  const Icon = sort === name ? ArrowUp : sort === `-${name}` ? ArrowDown : ChevronsUpDown;
  // Columns of amounts are sorted in descending order first.
  const next = sort === `-${name}` ? name : sort === name ? "" : `-${name}`;
  return (
    <UnstyledButton fz="sm" onClick={() => state.set({ sort: next })}>
      <Group gap={4} wrap="nowrap" justify="inherit">
        {title}
        <Icon size={14} aria-hidden />
      </Group>
    </UnstyledButton>
  );
}

/** Replaces the column headers in a narrow window, where they are not shown. */
function SortChoice<Row>({ columns, state }: { columns: Column<Row>[]; state: ListState }) {
  const { t } = useTranslation("common");
  const sortable = columns.filter(({ sort }) => sort);
  if (sortable.length === 0) return null;
  return (
    <Select
      hiddenFrom="sm"
      className="not-printed"
      p="sm"
      size="xs"
      label={t("sort.by")}
      placeholder={t("sort.preset")}
      data={sortable.flatMap(({ title, sort, isTime }) => [
        { value: `-${sort}`, label: t(isTime ? "sort.newest" : "sort.descending", { title }) },
        { value: sort!, label: t(isTime ? "sort.oldest" : "sort.ascending", { title }) },
      ])}
      value={state.get("sort") || null}
      onChange={(sort) => state.set({ sort: sort ?? "" })}
      clearable
      clearButtonProps={{ "aria-label": t("clear") }}
    />
  );
}

function ColumnChoice<Row>({
  columns,
  hidden,
  onChange,
}: {
  columns: Column<Row>[];
  hidden: string[];
  onChange: (hidden: string[]) => void;
}) {
  const { t } = useTranslation("common");
  // The first column identifies the row and cannot be hidden.
  const choices = columns.slice(1).filter(({ isFileOnly }) => !isFileOnly);
  return (
    <Popover position="top-start" withinPortal shadow="md">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("columns")} title={t("columns")}>
          <Columns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("columns")}>
        <Stack gap="xs">
          {choices.map(({ id, title }) => (
            <Checkbox
              key={id}
              label={title}
              checked={!hidden.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? hidden.filter((other) => other !== id) : [...hidden, id])
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A list of the store as a table with loading, empty and error states, sortable columns, a column menu and pages. */
export function DataTable<Row extends object>({
  name,
  label,
  columns,
  rowId,
  list: { result, state, source, names = [] },
  empty,
  first,
  mostCounted = Infinity,
}: DataTableProps<Row>) {
  const { t } = useTranslation("common");
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `store-console-hidden-columns ${name}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });

  // All rows, until they are printed.
  const [printed, setPrinted] = useState<Row[]>();
  useEffect(() => {
    if (!printed) return undefined;
    const done = () => setPrinted(undefined);
    addEventListener("afterprint", done);
    window.print();
    return () => removeEventListener("afterprint", done);
  }, [printed]);

  const { list: rows, count = 0 } = result.data ?? {};
  const shown = columns.filter(({ id, isFileOnly }) => !isFileOnly && !hidden.includes(id));
  const sortNote = columns.find(({ sort }) => sort && state?.get("sort").replace("-", "") === sort)?.sortNote;
  const pages = Math.ceil(count / rowsOfPage);
  // For example, after the only row of the last page was deleted.
  const isBeyondTheEnd = state !== undefined && state.page > 1 && rows?.length === 0 && !result.isFetching;
  useEffect(() => {
    if (isBeyondTheEnd) state.setPage(Math.max(1, Math.min(pages, state.page - 1)));
    // oxlint-disable-next-line react/exhaustive-deps -- only when the page turns out to be beyond the end
  }, [isBeyondTheEnd]);

  const failure = <FailureAlert error={result.error} onRetry={() => void result.refetch()} />;
  if (result.error && !rows) return failure;
  const placeholder =
    rows === undefined &&
    Array.from({ length: placeholderRows }, (_, line) => (
      <Table.Tr key={line} role="row">
        {shown.map(({ id }) => (
          <Table.Td key={id} role="cell">
            <Skeleton height={16} />
          </Table.Td>
        ))}
      </Table.Tr>
    ));
  return (
    <Stack gap="sm">
      {failure}
      {sortNote && (
        <Text size="sm" c="dimmed" role="status" className="not-printed">
          {sortNote}
        </Text>
      )}
      {/* Clipped, so that the head does not cover the round corners. */}
      <Paper withBorder style={{ overflow: "clip" }}>
        {state && <SortChoice columns={columns} state={state} />}
        <PlainTable
          label={label}
          columns={shown}
          rows={printed ?? rows ?? []}
          rowId={rowId}
          isBusy={result.isFetching}
          isStale={result.isPlaceholderData}
          placeholder={placeholder}
          head={({ title, sort }) => sort && state && <SortButton title={title} name={sort} state={state} />}
          ariaSort={({ sort }) => {
            if (!state || !sort) return undefined;
            return state.get("sort") === sort ? "ascending" : state.get("sort") === `-${sort}` ? "descending" : "none";
          }}
        />
        {rows?.length === 0 && (
          <Stack align="center" p="xl" gap="sm">
            <Text c="dimmed" role="status">
              {empty}
            </Text>
            {!state?.hasAny(names) && first}
          </Stack>
        )}
        {rows && rows.length > 0 && (
          <Group justify="space-between" p="sm" gap="xs">
            <Group gap="xs">
              <ColumnChoice columns={columns} hidden={hidden} onChange={setHidden} />
              <Text size="sm" c="dimmed" role="status">
                {count > mostCounted ? t("countMore", { count: mostCounted }) : t("count", { count })}
              </Text>
              <ExportButton
                name={name}
                label={label}
                columns={columns}
                rowId={rowId}
                rows={rows}
                count={count}
                source={source}
              />
              {source && state && (
                <PrintAllButton label={label} rowId={rowId} count={count} source={source} onRead={setPrinted} />
              )}
            </Group>
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
    </Stack>
  );
}
