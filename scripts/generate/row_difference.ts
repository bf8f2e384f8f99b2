import type postgres from "postgres";
import { withConnection } from "../postgres/database_server.ts";

/** A table whose rows `sql/` brings. */
interface Table {
  name: string;
  /** The columns of its primary key. */
  key: string[];
  /** The columns that a statement sets. Times are those of the update. */
  columns: string[];
}

function tablesOf(sql: postgres.Sql): Promise<Table[]> {
  return sql<Table[]>`
    select c.oid::regclass::text as name, jsonb_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attnum = any (k.indkey)) as key,
      jsonb_agg(quote_ident(a.attname) order by a.attnum)
        filter (where a.attgenerated = '' and a.attidentity <> 'a' and a.atttypid <> 'timestamptz'::regtype) as columns
    from pg_class as c
    join pg_index as k on k.indrelid = c.oid and k.indisprimary
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'manifest'
    group by c.oid
    order by 1`;
}

/** The rows of a table, as SQL literals, by a text of their key. */
async function rowsOf(sql: postgres.Sql, { name, key, columns }: Table): Promise<Map<string, string>> {
  const literals = columns.map((column) => `quote_nullable(${column}::text)`);
  const rows = await sql.unsafe<{ key: string; row: string }[]>(
    `select jsonb_build_array(${key.join(", ")})::text as key, concat_ws(', ', ${literals.join(", ")}) as row from ${name} order by 1`,
  );
  return new Map(rows.map((row) => [row.key, row.row]));
}

/**
 * The rows that `sql/` adds to those of the migrations. Rows that it changes or removes are left to a migration by
 * hand.
 * @param from has the same tables
 */
export async function rowDifference(from: string, to: string): Promise<string> {
  return withConnection(from, (before) =>
    withConnection(to, async (after) => {
      const statements: string[] = [];
      for (const table of await tablesOf(after)) {
        const known = await rowsOf(before, table);
        const added = [...(await rowsOf(after, table))]
          .filter(([key]) => !known.has(key))
          .map(([, row]) => `  (${row})`);
        if (added.length > 0)
          statements.push(
            `insert into ${table.name} (${table.columns.join(", ")}) values\n${added.join(",\n")}\non conflict do nothing;`,
            ...(table.name === "app.scheduled_jobs" ? ["select app.apply_schedule();"] : []),
          );
      }
      return statements.join("\n\n");
    }),
  );
}

/** The tables that are partitioned by month. */
export function monthlyTables(url: string): Promise<string[]> {
  return withConnection(url, async (sql) =>
    (await sql<{ name: string }[]>`select unnest(app.monthly_tables()) as name`).map(({ name }) => name),
  );
}

/** The statement that creates the partitions of the present months. */
export function monthsOf(tables: string[]): string {
  if (tables.length === 0) return "";
  return `select app.create_month_partition(t.name, m.month::date)
from unnest('{${tables.join(", ")}}'::text[]) as t (name)
cross join generate_series(date_trunc('month', current_date::timestamp), current_date + interval '2 months', interval '1 month') as m (month);`;
}
