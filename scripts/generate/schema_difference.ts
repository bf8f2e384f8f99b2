import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../ground/problem.ts";
import { lastLines } from "../ground/run_command.ts";
import { withConnection } from "../postgres/database_server.ts";
import { runSupabaseCli } from "../postgres/migrations.ts";

/** Drops the partitions of single months, which each store has of its own months. */
async function dropMonths(url: string): Promise<void> {
  await withConnection(url, async (sql) => {
    const months = await sql<{ name: string }[]>`
      select i.inhrelid::regclass::text as name
      from unnest(app.monthly_tables()) as t (name)
      join pg_inherits as i on i.inhparent = ('app.' || t.name)::regclass
      join pg_class as c on c.oid = i.inhrelid and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`;
    for (const { name } of months) await sql.unsafe(`drop table ${name}`);
  });
}

/**
 * The statements that change the schema of one database into that of another, by the Supabase CLI. It has no rows.
 * Both databases lose the partitions of their months.
 */
export async function schemaDifference(from: string, to: string): Promise<string> {
  await Promise.all([dropMonths(from), dropMonths(to)]);
  const folder = mkdtempSync(join(tmpdir(), "store-difference-"));
  // The statements are read from a file, because the CLI prints its notices beside them.
  const file = join(folder, "difference.sql");
  try {
    const { code, output } = await runSupabaseCli(["db", "diff", "--from", from, "--to", to, "--output", file]);
    if (code !== 0)
      throw new Problem(`The databases could not be compared:\n${lastLines(output)}`, "Fix the reported error and try again.");
    const statements = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
    // An index of a partitioned table gets its parts in the partitions that a store has.
    return statements.replaceAll(/^(CREATE (?:UNIQUE )?INDEX \S+ ON) ONLY /gm, "$1 ");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
