import type postgres from "postgres";
import type { Form } from "./form.ts";

interface Column {
  file: string;
  name: string;
  is_required: boolean;
}

const optionalFiles = ["openids", "refunds", "bill"];

/** The form of docs/import.md, as the database describes it: one file for each staging table, with its columns. */
export async function neutralForm(sql: postgres.Sql): Promise<Form> {
  const columns = await sql<Column[]>`select file, name, is_required from app.import_columns()`;
  const files = [...new Set(columns.map(({ file }) => file))].map((table) => {
    const names = columns.filter(({ file }) => file === table);
    return {
      name: `${table}.csv`,
      isRequired: !optionalFiles.includes(table),
      columns: {
        required: names.filter(({ is_required }) => is_required).map(({ name }) => name),
        optional: names.filter(({ is_required }) => !is_required).map(({ name }) => name),
      },
      table,
      rows: ({ line, value }: Parameters<Form["files"][number]["rows"]>[0]) => {
        const values: Record<string, string | null> = table === "bill" ? { source: "bill" } : {};
        for (const { name } of names) values[name] = value(name);
        return [{ table, line, values }];
      },
    };
  });
  return { name: "neutral", files, origin: ({ table, column }) => ({ file: `${table}.csv`, column }) };
}
