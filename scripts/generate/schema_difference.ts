import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../ground/problem.ts";
import { lastLines } from "../ground/run_command.ts";
import { withConnection } from "../postgres/database_server.ts";
import { runSupabaseCli } from "../postgres/migrations.ts";

/** Tables that have few rows in every store, so that the check of a constraint takes no time. */
const SMALL_TABLES = [
  "administrators",
  "agent_level_tasks",
  "agent_levels",
  "carriers",
  "commission_plans",
  "event_types",
  "message_settings",
  "scheduled_jobs",
  "settings",
];
const CONSTRAINT_OF_SMALL_TABLE = new RegExp(
  `^ALTER TABLE "app"\\."(?:${SMALL_TABLES.join("|")})"\n(?=  ADD CONSTRAINT)`,
  "gm",
);

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
      throw new Problem(
        `The databases could not be compared:\n${lastLines(output)}`,
        "Fix the reported error and try again.",
      );
    const statements = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
    return (
      statements
        // An index of a partitioned table gets its parts in the partitions that a store has.
        .replaceAll(/^(CREATE (?:UNIQUE )?INDEX \S+ ON) ONLY /gm, "$1 ")
        .replaceAll(CONSTRAINT_OF_SMALL_TABLE, "$&  -- squawk-ignore constraint-missing-not-valid\n")
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface ColumnComment {
  name: string;
  text: string;
}

function columnComments(url: string): Promise<ColumnComment[]> {
  return withConnection(
    url,
    (sql) =>
      sql<ColumnComment[]>`
      select concat(c.oid::regclass, '.', quote_ident(a.attname)) as name, quote_literal(d.description) as text
      from pg_description as d
      join pg_class as c on d.classoid = 'pg_class'::regclass and c.oid = d.objoid
      join pg_attribute as a on a.attrelid = c.oid and a.attnum = d.objsubid
      where c.relnamespace::regnamespace::text in ('app', 'api', 'entry', 'compacted', 'report')
      order by 1`,
  );
}

/**
 * The comments on columns of views and composite types, which the CLI leaves out.
 * @param from to which the difference was applied
 */
export async function commentDifference(from: string, to: string): Promise<string> {
  const [before, after] = await Promise.all([columnComments(from), columnComments(to)]);
  const known = new Map(before.map(({ name, text }) => [name, text]));
  return after
    .filter(({ name, text }) => known.get(name) !== text)
    .map(({ name, text }) => `comment on column ${name} is ${text};`)
    .join("\n");
}
