import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepLineBreaks } from "../../scripts/generate/line_breaks.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { buildFromSource, sourceFiles } from "../../scripts/postgres/source_database.ts";
import {
  cloneDatabase,
  type ClonedDatabase,
  connect,
  lockSchedule,
  rolledBack,
  skipFor,
  stack,
} from "../support/index.ts";
import { lacking, testContext } from "../../scripts/testing/context.ts";

const advice =
  "sql/ and supabase/migrations/ differ; run: npm run migration:fold. What remains then needs a migration by hand: npm run migration:new -- <name>";
const { clientPrograms } = testContext();

let migrated: ClonedDatabase;
let fromSource: ClonedDatabase;

beforeAll(async () => {
  [migrated, fromSource] = await Promise.all([cloneDatabase("migrated"), cloneDatabase("platform")]);
  await buildFromSource(fromSource.url);
  await keepLineBreaks(migrated.url, fromSource.url);
});
afterAll(() => Promise.all([migrated?.drop(), fromSource?.drop()]));

/** The definition of each object, without the random values of pg_dump. The order of grants is irrelevant. */
async function schemaOf(url: string): Promise<Map<string, string[]>> {
  const { code, stdout, output } = await runCommand(join(clientPrograms!, "pg_dump"), [
    "--schema-only",
    "--exclude-schema=supabase_migrations",
    "--dbname",
    url,
  ]);
  expect(code, output).toBe(0);
  const objects = stdout.split(/^-- Name: /m).slice(1);
  return new Map(
    objects.map((text) => {
      const [head, ...lines] = text.split("\n").filter((line) => line !== "" && !line.startsWith("\\"));
      const [, name, type, schema] = /^(.*); Type: (.*); Schema: (.*); Owner: /.exec(head!)!;
      // Months that a released version has made have no constraint of their bounds.
      const isOfMonth = /_\d{6}$/.test(name!);
      const definition = lines.filter(
        (line) => !line.startsWith("--") && !(isOfMonth && line.includes("CONSTRAINT it_is_in_its_month")),
      );
      return [`${type} ${schema}.${name}`, type === "ACL" || type === "DEFAULT ACL" ? definition.sort() : definition];
    }),
  );
}

/** What the migrations lack, have beyond sql/ or have otherwise. */
function differences(migrations: Map<string, string[]>, source: Map<string, string[]>): string[] {
  return [...new Set([...migrations.keys(), ...source.keys()])].sort().flatMap((name) => {
    const [one, other] = [migrations.get(name), source.get(name)];
    if (one === undefined) return [`${name} is missing in the migrations`];
    if (other === undefined) return [`${name} is not in sql/`];
    const lines = [
      ...one.filter((line) => !other.includes(line)).map((line) => `  migrations: ${line}`),
      ...other.filter((line) => !one.includes(line)).map((line) => `  sql/:       ${line}`),
    ];
    if (lines.length > 0) return [`${name} differs\n${lines.join("\n")}`];
    return one.join("\n") === other.join("\n")
      ? []
      : [`${name} has its lines in another order: add columns at the end of the table`];
  });
}

/**
 * All rows of schema app but the manifest, which supabase/tests/verification compares with the catalogue, without
 * times, because the two databases were built at different times.
 */
async function rowsOf(url: string): Promise<string[]> {
  const sql = connect(url);
  try {
    const tables = await sql<{ name: string; times: string[] }[]>`
      select c.oid::regclass::text as name, coalesce(array_agg(a.attname) filter (where a.atttypid = 'timestamptz'::regtype), '{}') as times
      from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'manifest'
      group by c.oid order by 1`;
    const rows = await Promise.all(
      tables.map(
        ({ name, times }) =>
          sql<
            { row: string }[]
          >`select concat(${name}::text, ' ', to_jsonb(t) - ${times}::text[]) as row from ${sql.unsafe(name)} as t order by 1`,
      ),
    );
    return rows.flat().map(({ row }) => row);
  } finally {
    await sql.end();
  }
}

describe("the migrations create the database that sql/ describes", () => {
  // Guarantee operation/migrations-of-source: The migrations create what `sql/` describes
  // By: they are generated from it, scripts/commands/fold_migrations.ts
  skipFor(it, lacking("pg_dump"))("in tables, functions, policies and grants", async () => {
    const [migrations, source] = await Promise.all([schemaOf(migrated.url), schemaOf(fromSource.url)]);
    expect(source.size).toBeGreaterThan(1000);
    expect(differences(migrations, source), advice).toEqual([]);
  });

  it("in the initial rows", async () => {
    const [migrations, source] = await Promise.all([rowsOf(migrated.url), rowsOf(fromSource.url)]);
    expect(source.length).toBeGreaterThan(0);
    const [known, wanted] = [new Set(migrations), new Set(source)];
    const found = {
      "missing in the migrations": source.filter((row) => !known.has(row)),
      "not in sql/": migrations.filter((row) => !wanted.has(row)),
    };
    expect(found, advice).toEqual({ "missing in the migrations": [], "not in sql/": [] });
  });

  it("in the scheduled jobs", async () => {
    const schedule = await lockSchedule();
    const sql = connect(stack().database_url);
    const jobs = (transaction: postgres.TransactionSql) =>
      transaction`select jobname, schedule, command, username, active from cron.job order by jobname`;
    try {
      await rolledBack(sql, async (transaction) => {
        const scheduledByMigrations = [...(await jobs(transaction))];
        expect(scheduledByMigrations.length).toBeGreaterThan(0);
        await transaction`select cron.unschedule(jobid) from cron.job`;
        for (const file of sourceFiles()) {
          const text = readFileSync(file, "utf8");
          if (file.endsWith("21_schedule/scheduled_jobs.sql")) await transaction.unsafe(text);
        }
        expect(scheduledByMigrations, advice).toEqual([...(await jobs(transaction))]);
      });
    } finally {
      await sql.end();
      await schedule.unlock();
    }
  });
});
