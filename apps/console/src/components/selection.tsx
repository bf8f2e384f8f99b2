import { Button, Checkbox, Group, Paper, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "./column.ts";
import { ExportButton } from "./export_button.tsx";

/** The rows that are chosen in a list, also on pages of it that are not shown. */
export interface Selection<Row> {
  rows: Row[];
  has: (id: number) => boolean;
  /** Replaces the chosen rows. */
  set: (rows: Row[]) => void;
  /** Chooses more rows. */
  add: (rows: Row[]) => void;
  toggle: (row: Row) => void;
  clear: () => void;
}

export function useSelection<Row extends { id: number }>(): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Row>>(new Map());
  const entries = (rows: Row[]) => rows.map((row) => [row.id, row] as const);
  return {
    rows: [...chosen.values()],
    has: (id) => chosen.has(id),
    set: (rows) => setChosen(new Map(entries(rows))),
    add: (rows) => setChosen((old) => new Map([...old, ...entries(rows)])),
    toggle: (row) =>
      setChosen((old) => new Map(old.has(row.id) ? [...old].filter(([id]) => id !== row.id) : [...old, [row.id, row]])),
    clear: () => setChosen(new Map()),
  };
}

/** The column of a list in which rows are chosen. @param label what a row's checkbox is called */
export function useSelectColumn<Row extends { id: number }>(
  selection: Selection<Row>,
  label: (row: Row) => string,
): Column<Row> {
  const { t } = useTranslation("lists");
  return {
    id: "select",
    title: t("selection.select"),
    isControl: true,
    cell: (row) => (
      <Checkbox aria-label={label(row)} checked={selection.has(row.id)} onChange={() => selection.toggle(row)} />
    ),
  };
}

interface SelectionBarProps<Row> {
  label: string;
  selection: Selection<Row>;
  /** How many rows are chosen, in the words of the list. */
  selected?: string;
  /** The button that chooses rows. */
  choose: ReactNode;
  /** What can be done with the chosen rows. */
  children: ReactNode;
}

/** Says how many rows of a list are chosen, and what can be done with them. */
export function SelectionBar<Row>({ label, selection, selected, choose, children }: SelectionBarProps<Row>) {
  const { t } = useTranslation("lists");
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={label}
      className="selection-bar not-printed"
      data-chosen={selection.rows.length > 0 || undefined}
    >
      <Group gap="xs">
        <Text role="status">{selected ?? t("selection.selected", { count: selection.rows.length })}</Text>
        {choose}
        <Button variant="subtle" color="gray" disabled={selection.rows.length === 0} onClick={selection.clear}>
          {t("selection.clear")}
        </Button>
        {children}
      </Group>
    </Paper>
  );
}

/** Chooses the rows of the page that is shown. */
export function ChoosePage<Row>({ selection, rows }: { selection: Selection<Row>; rows: Row[] }) {
  const { t } = useTranslation("lists");
  return (
    <Button variant="light" onClick={() => selection.add(rows)}>
      {t("selection.page")}
    </Button>
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
  return rows.length === 0 ? null : (
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
