import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Column, PlainTable } from "./plain_table.tsx";

/** One setting with its present and its new value. */
export interface Change {
  name: string;
  before: ReactNode;
  after: ReactNode;
}

/** A table of the present and the new values. */
export function ChangeTable({ label, changes }: { label: string; changes: Change[] }) {
  const { t } = useTranslation("common");
  const columns = useMemo<Column<Change>[]>(
    () => [
      { id: "name", title: t("change.what"), cell: ({ name }) => name },
      { id: "before", title: t("change.before"), align: "right", cell: ({ before }) => before },
      { id: "after", title: t("change.after"), align: "right", cell: ({ after }) => after },
    ],
    [t],
  );
  return <PlainTable label={label} columns={columns} rows={changes} rowId={({ name }) => name} />;
}
