import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type postgres from "postgres";
import { localDirectory, projectRoot } from "../ground/paths.ts";
import { bar, type ShowDetail } from "../ground/progress.ts";
import { type PgTapFile, runPgTap } from "./pgtap.ts";

/** What a pgTAP file does without a mutant. */
export interface Measured {
  path: string;
  milliseconds: number;
  /** The functions of schema app that it called, without those that Postgres put into their callers. */
  called: string[];
  /** Why it cannot be used: it fails without a mutant. */
  failure?: string;
}

/** A file that takes longer than this, in milliseconds, is not used. */
const longest = 60_000;

const file = join(localDirectory, "mutation/baseline.json");

/** A hash of the source of the database. */
function hashOfSource(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(join(projectRoot, "sql"), { recursive: true, encoding: "utf8" })
    .filter((each) => each.endsWith(".sql"))
    .sort()) {
    hash.update(name).update(readFileSync(join(projectRoot, "sql", name)));
  }
  return hash.digest("hex");
}

async function measure(sql: postgres.Sql, test: PgTapFile): Promise<Measured> {
  // So that the counts of this session begin at 0.
  await sql`select pg_catalog.pg_stat_force_next_flush()`;
  const started = performance.now();
  const { failure, rows } = await runPgTap(
    sql,
    test,
    "select funcname as name from pg_catalog.pg_stat_xact_user_functions where schemaname = 'app'",
  );
  return {
    path: test.path,
    milliseconds: Math.round(performance.now() - started),
    called: rows.map(({ name }) => String(name)),
    ...(failure && { failure: failure.detail }),
  };
}

/**
 * Runs every pgTAP file without a mutant, and remembers duration and called functions until the file or sql/ change.
 * @param sql one connection to a database that counts calls (`track_functions`)
 */
export async function measureTests(sql: postgres.Sql, tests: PgTapFile[], show: ShowDetail): Promise<Measured[]> {
  const source = hashOfSource();
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Measured>) : {};
  const measured: Record<string, Measured> = {};
  mkdirSync(dirname(file), { recursive: true });
  await sql.unsafe(`set statement_timeout = ${longest}`);
  for (const [index, test] of tests.entries()) {
    show(bar(index, tests.length, "pgTAP files"));
    const key = createHash("sha256").update(source).update(test.text).digest("hex");
    measured[key] = known[key] ?? (await measure(sql, test));
    writeFileSync(file, JSON.stringify({ ...known, ...measured }));
  }
  writeFileSync(file, JSON.stringify(measured));
  return Object.values(measured);
}
