import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { columnsOf } from "./columns.tsx";
import { PlainTable } from "./plain_table.tsx";

/** One setting with its present and its new value. */
export interface Change {
  name: string;
  before: ReactNode;
  after: ReactNode;
}

const column = columnsOf<Change>();

/** A table of the present and the new values. */
export function ChangeTable({ label, changes }: { label: string; changes: Change[] }) {
  const { t } = useTranslation("common");
  const columns = [
    column.custom({ id: "name", title: t("change.what"), cell: ({ name }) => name }),
    column.custom({ id: "before", title: t("change.before"), align: "right", cell: ({ before }) => before }),
    column.custom({ id: "after", title: t("change.after"), align: "right", cell: ({ after }) => after }),
  ];
  return <PlainTable label={label} columns={columns} rows={changes} rowId={({ name }) => name} />;
}
