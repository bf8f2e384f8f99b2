import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type postgres from "postgres";
import { projectRoot } from "../ground/paths.ts";

/** A file of supabase/tests, which runs in a transaction that it rolls back. */
export interface PgTapFile {
  /** Below the root of the project. */
  path: string;
  /** With the files that it includes. */
  text: string;
}

/** What says that a mutant was noticed; undefined if the tests passed. */
export type Failure = { reason: "failed" | "error" | "timeout"; detail: string } | undefined;

/** A file with the files that `\ir` includes, as psql would read it. */
function readWithIncluded(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^\\ir (\S+)$/gm, (_, name: string) =>
    readWithIncluded(join(dirname(file), name)),
  );
}

/**
 * The pgTAP files that can notice a mutant. Without those that use psql for more than including files, those that read
 * the source of functions, which would notice that a text changed and not that a result did, those that cannot be sent
 * as one message, and those of query plans, which take long.
 */
export function pgTapFiles(): PgTapFile[] {
  const folder = join(projectRoot, "supabase/tests");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.sql") && !name.startsWith("query_plans/"))
    .sort();
  return names
    .map((name) => ({ path: relative(projectRoot, join(folder, name)), text: readWithIncluded(join(folder, name)) }))
    .filter(
      ({ text }) =>
        !/\\g|\\set|prosrc|pg_get_functiondef|plpgsql_check|-- Needs a message for each statement/.test(text),
    );
}

/** The lines that pgTAP returned. */
function linesOf(results: unknown): string[] {
  const rows = (results as unknown[]).flat() as Record<string, unknown>[];
  return rows
    .flatMap((row) => Object.values(row))
    .filter((value) => typeof value === "string")
    .flatMap((value) => value.split("\n"));
}

/** What the database says about an error that ended a test, or a history. */
export function failureOf(error: unknown): NonNullable<Failure> {
  const { code, message } = error as { code?: string; message: string };
  return {
    reason: code === "57014" ? "timeout" : "error",
    detail: [code, message.split("\n")[0]].filter(Boolean).join(" ").slice(0, 200),
  };
}

/**
 * Runs a pgTAP file.
 * @param sql with one connection, which is used again. It has a statement_timeout
 * @param after a query in the transaction of the file, whose rows are returned
 */
export async function runPgTap(
  sql: postgres.Sql,
  { text }: PgTapFile,
  after = "",
): Promise<{ failure: Failure; rows: Record<string, unknown>[] }> {
  try {
    // The simple protocol runs all statements of a text, as psql does. The query that follows runs before the
    // statistics are sent.
    const results = (await sql.unsafe(`${text}\n${after}`).simple()) as unknown as Record<string, unknown>[][];
    const bad = linesOf(after ? results.slice(0, -1) : results).find((line) =>
      /^not ok (?!.*# TODO)|^# Looks like you/.test(line),
    );
    return {
      failure: bad === undefined ? undefined : { reason: "failed", detail: bad.slice(0, 200) },
      rows: after ? results.at(-1)! : [],
    };
  } catch (error) {
    return { failure: failureOf(error), rows: [] };
  } finally {
    await sql.unsafe("rollback; select pg_catalog.pg_advisory_unlock_all()").simple();
  }
}
