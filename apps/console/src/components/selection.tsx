import { Button, Checkbox, Group, Paper, Text } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../store/store.ts";
import type { Column } from "./column.ts";
import { ExportButton } from "./export_button.tsx";
import { notifyFailure } from "./notify.ts";
import { readAll } from "./read_all.ts";
import type { ListSource } from "./use_list.ts";

/** The rows that are chosen in a list, also on pages of it that are not shown. */
export interface Selection<Row> {
  rows: Row[];
  has: (id: number) => boolean;
  /** Chooses more rows, or no longer chooses them. */
  set: (rows: Row[], isChosen: boolean) => void;
  clear: () => void;
}

/** No more rows are chosen at once, because an action names them all. */
const mostChosen = 500;

export function useSelection<Row extends { id: number }>(): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Row>>(new Map());
  return {
    rows: [...chosen.values()],
    has: (id) => chosen.has(id),
    set: (rows, isChosen) =>
      setChosen((old) => {
        const changed = new Map(old);
        for (const row of rows) {
          if (isChosen) changed.set(row.id, row);
          else changed.delete(row.id);
        }
        return changed;
      }),
    clear: () => setChosen(new Map()),
  };
}

/**
 * The first column of a list, in which rows are chosen: one by one, the rows between two with Shift, or the page by the
 * header.
 * @param rows of the page that is shown
 * @param label what a row's checkbox is called
 */
export function useSelectColumn<Row extends { id: number }>(
  selection: Selection<Row>,
  rows: Row[],
  label: (row: Row) => string,
): Column<Row> {
  const { t } = useTranslation("lists");
  const last = useRef<number>(undefined);
  const choose = (row: Row, isChosen: boolean, withShift: boolean) => {
    const ends = [last.current, row.id].map((id) => rows.findIndex((other) => other.id === id));
    const [from, to] = ends.toSorted((one, other) => one - other);
    selection.set(withShift && from! >= 0 ? rows.slice(from, to! + 1) : [row], isChosen);
    last.current = row.id;
  };
  const count = rows.filter(({ id }) => selection.has(id)).length;
  const isWhole = count > 0 && count === rows.length;
  return {
    id: "select",
    title: t("selection.select"),
    isControl: true,
    width: 40,
    head: (
      <Checkbox
        size="xs"
        aria-label={t("selection.page")}
        checked={isWhole}
        indeterminate={count > 0 && !isWhole}
        onChange={() => selection.set(rows, !isWhole)}
      />
    ),
    cell: (row) => (
      <Checkbox
        size="xs"
        aria-label={label(row)}
        checked={selection.has(row.id)}
        onChange={({ currentTarget: { checked }, nativeEvent }) =>
          choose(row, checked, (nativeEvent as MouseEvent).shiftKey)
        }
      />
    ),
  };
}

interface SelectionBarProps<Row> {
  label: string;
  selection: Selection<Row>;
  /** The list, and how many rows it has. */
  list: { source: ListSource };
  count: number;
  /** How many rows are chosen, in the words of the list. */
  selected?: string;
  /** How many of the chosen rows an action leaves out, and why. */
  leftOut?: string[];
  /** What can be done with the chosen rows. */
  children: ReactNode;
}

/** Says how many rows of a list are chosen, and what can be done with them. It stays in sight below the list. */
export function SelectionBar<Row extends { id: number }>({
  label,
  selection,
  list: { source },
  count,
  selected,
  leftOut = [],
  children,
}: SelectionBarProps<Row>) {
  const { t } = useTranslation("lists");
  const { admin } = useStore();
  const [isReading, setReading] = useState(false);
  if (selection.rows.length === 0) return null;

  const most = Math.min(count, mostChosen);
  async function chooseAll() {
    setReading(true);
    try {
      const all = await readAll<Row>(
        admin,
        source,
        ({ id }) => id,
        AbortSignal.timeout(60_000),
        () => {},
        most,
      );
      selection.clear();
      selection.set(all.slice(0, most), true);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setReading(false);
    }
  }

  return (
    <Paper withBorder shadow="md" p="xs" component="section" aria-label={label} className="selection-bar not-printed">
      <Group gap="xs">
        <Text role="status">{selected ?? t("selection.selected", { count: selection.rows.length })}</Text>
        {selection.rows.length < most && (
          <Button variant="light" onClick={() => void chooseAll()} loading={isReading}>
            {t(count > mostChosen ? "selection.first" : "selection.all", { count: most })}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={selection.clear}>
          {t("selection.clear")}
        </Button>
        {children}
      </Group>
      {leftOut.length > 0 && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {leftOut.join(" ")}
        </Text>
      )}
    </Paper>
  );
}

/** Exports the chosen rows. */
export function ExportSelection<Row extends { id: number }>({
  name,
  label,
  columns,
  selection: { rows },
}: {
  name: string;
  label: string;
  columns: Column<Row>[];
  selection: Selection<Row>;
}) {
  return (
    <ExportButton
      name={name}
      label={label}
      columns={columns}
      rowId={({ id }) => id}
      rows={rows}
      count={rows.length}
      isSelection
    />
  );
}
