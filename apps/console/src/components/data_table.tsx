import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Pagination,
  Paper,
  Popover,
  Select,
  Stack,
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
import { widthOf } from "./fit_columns.ts";
import { type ListState, pageSizes } from "./list_state.ts";
import { MoveButtons } from "./move_buttons.tsx";
import { PlainTable } from "./plain_table.tsx";
import { PrintAllButton } from "./print_all_button.tsx";
import { useOwnAccount } from "../session/session_context.ts";
import type { ListSource } from "./use_list.ts";

interface DataTableProps<Row> {
  /** The key of the arrangement of columns in the browser's storage, and the name of an exported file. */
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

/** How an administrator has arranged the columns of a list: the ids of those hidden, their sequence and widths. */
interface Arrangement {
  hidden: string[];
  order: string[];
  widths: Record<string, number>;
}

const asDeclared: Arrangement = { hidden: [], order: [], widths: {} };

/** The columns in the sequence of the administrator. Those that it does not name stay where they are declared. */
function inOrder<Row>(columns: Column<Row>[], order: string[]): Column<Row>[] {
  const placeOf = ({ id }: Column<Row>) => order.indexOf(id);
  const moved = columns.filter((column) => placeOf(column) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b));
  return columns.map((column) => (placeOf(column) >= 0 ? moved.shift()! : column));
}

function SortButton({ title, name, state }: { title: string; name: string; state: ListState }) {
  const sort = state.get("sort");
  const Icon = sort === name ? ArrowUp : sort === `-${name}` ? ArrowDown : ChevronsUpDown;
  // Columns of amounts are sorted in descending order first.
  const next = sort === `-${name}` ? name : sort === name ? "" : `-${name}`;
  return (
    <UnstyledButton fz="inherit" lh="inherit" onClick={() => state.set({ sort: next })}>
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

/** Shows, hides, moves and widens the columns of a list. */
function ColumnChoice<Row>({
  columns,
  arrangement: { hidden, widths },
  onChange,
}: {
  /** In the order in which they stand. */
  columns: Column<Row>[];
  arrangement: Arrangement;
  onChange: (changed: Partial<Arrangement>) => void;
}) {
  const { t } = useTranslation(["common", "lists"]);
  // The first column identifies the row: it cannot be hidden, and stays the first.
  const fixed = columns.findIndex(({ isControl }) => !isControl) + 1;
  const choices = columns.slice(fixed).filter(({ isFileOnly }) => !isFileOnly);
  const move = (at: number, by: number) => {
    const order = choices.map(({ id }) => id);
    order.splice(at + by, 0, ...order.splice(at, 1));
    onChange({ order });
  };
  return (
    <Popover position="top-start" withinPortal shadow="md">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("columns")} title={t("columns")}>
          <Columns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("columns")} mah="60dvh" style={{ overflow: "auto" }}>
        <Stack gap={4}>
          {choices.map((column, at) => (
            <Group key={column.id} gap={4} wrap="nowrap">
              <Checkbox
                flex={1}
                miw="9rem"
                label={column.title}
                checked={!hidden.includes(column.id)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange({ hidden: checked ? hidden.filter((id) => id !== column.id) : [...hidden, column.id] })
                }
              />
              <NumberInput
                size="xs"
                w={76}
                min={64}
                max={480}
                step={16}
                aria-label={t("lists:width", { title: column.title })}
                value={widthOf(column, widths)}
                onChange={(width) =>
                  typeof width === "number" && onChange({ widths: { ...widths, [column.id]: width } })
                }
              />
              <MoveButtons title={column.title} at={at} count={choices.length} onMove={(by) => move(at, by)} />
            </Group>
          ))}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange(asDeclared)}>
            {t("lists:resetColumns")}
          </Button>
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
  const account = useOwnAccount();
  const [arrangement, arrange] = useLocalStorage<Arrangement>({
    key: `store-console-columns ${account} ${name}`,
    defaultValue: asDeclared,
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
  const isFiltered = state?.hasAny(names) ?? false;
  const { hidden, order, widths } = arrangement;
  const ordered = inOrder(columns, order);
  const shown = ordered.filter(({ id, isFileOnly }) => !isFileOnly && !hidden.includes(id));
  const sortNote = columns.find(({ sort }) => sort && state?.get("sort").replace("-", "") === sort)?.sortNote;
  const pages = Math.ceil(count / (state?.rows ?? Infinity));
  // For example, after the only row of the last page was deleted.
  const isBeyondTheEnd = state !== undefined && state.page > 1 && rows?.length === 0 && !result.isFetching;
  useEffect(() => {
    if (isBeyondTheEnd) state.setPage(Math.max(1, Math.min(pages, state.page - 1)));
    // oxlint-disable-next-line react/exhaustive-deps -- only when the page turns out to be beyond the end
  }, [isBeyondTheEnd]);

  const failure = <FailureAlert error={result.error} onRetry={() => void result.refetch()} />;
  if (result.error && !rows) return failure;
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
          isLoading={rows === undefined}
          isPrinted={printed !== undefined}
          widths={widths}
          head={({ title, sort }) => sort && state && <SortButton title={title} name={sort} state={state} />}
          ariaSort={({ sort }) => {
            if (!state || !sort) return undefined;
            return state.get("sort") === sort ? "ascending" : state.get("sort") === `-${sort}` ? "descending" : "none";
          }}
        />
        {rows?.length === 0 && (
          <Stack align="center" p="xl" gap="sm">
            <Text c="dimmed" role="status">
              {isFiltered ? t("nothingFound") : empty}
            </Text>
            {!isFiltered && first}
          </Stack>
        )}
        {rows && rows.length > 0 && (
          <Group justify="space-between" p="sm" gap="xs">
            <Group gap="xs">
              <ColumnChoice
                columns={ordered}
                arrangement={arrangement}
                onChange={(changed) => arrange({ ...arrangement, ...changed })}
              />
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
            {state && count > pageSizes[0]! && (
              <Group gap="xs">
                <NativeSelect
                  size="xs"
                  aria-label={t("paging.rows")}
                  data={pageSizes.map((rows) => ({ value: String(rows), label: t("paging.rowsOf", { rows }) }))}
                  value={state.rows}
                  onChange={({ currentTarget: { value } }) => state.setRows(Number(value))}
                />
                {pages > 1 && (
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
          </Group>
        )}
      </Paper>
    </Stack>
  );
}
