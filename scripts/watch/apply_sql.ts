import type postgres from "postgres";
import { inOneLine } from "../generate/line_breaks.ts";
import { manifestChanges } from "../generate/manifest.ts";
import { openConnection } from "../ground/open_connection.ts";
import { Problem } from "../ground/problem.ts";
import { withConnection } from "../postgres/database_server.ts";
import { type Statement, statementsOf } from "./statements.ts";

/** A file of sql/ before and after a change. A new file was empty before, and a deleted one is empty after. */
export interface ChangedFile {
  /** From the root of the project. */
  path: string;
  before: string;
  after: string;
}

/** What became of a change: the titles of the statements that were run, and of those that need a migration. */
export interface Applied {
  done: string[];
  left: string[];
}

/** @throws Problem if the file is not SQL, such as half of a text */
function read(path: string, sql: string): Statement[] {
  try {
    return statementsOf(sql);
  } catch (error) {
    throw new Problem(
      `${path}: ${(error as Error).message}`,
      "Nothing was applied. Save the file again once it is right.",
    );
  }
}

/** A statement with the path of its file. */
type Located = Statement & { path: string };

const routinesNamed = (sql: postgres.TransactionSql, name: string) => sql<{ oid: string; signature: string }[]>`
  select p.oid::text, p.oid::regprocedure::text as signature from pg_proc as p
  where format('%s.%s', p.pronamespace::regnamespace, p.proname) = ${name}`;

/** Whether a statement gives a function or procedure its comment or its grants. */
const describes = ({ text }: Statement, routine: string) =>
  /^(?:comment|grant|revoke) /.test(text) && new RegExp(`\\b${routine.replace(".", "\\.")}\\b`).test(text);

/**
 * Creates a function or procedure. No two in sql/ share a name, so one with other parameters or another result takes
 * the place of the former, whose comment and grants it gets from its file.
 */
async function createRoutine(
  sql: postgres.TransactionSql,
  { again, routine }: { again: string; routine: string },
  file: Statement[],
): Promise<void> {
  const former = await routinesNamed(sql, routine);
  const isCreated = await sql
    .savepoint((inner) => inner.unsafe(again))
    .then(
      () => true,
      (error: unknown) => {
        // invalid_function_definition: another result, or other names of parameters.
        if ((error as { code?: string }).code !== "42P13") throw error;
        return false;
      },
    );
  const isReplaced =
    isCreated && (await routinesNamed(sql, routine)).every(({ oid }) => former.some((old) => old.oid === oid));
  if (isReplaced) return;
  for (const { signature } of former) await sql.unsafe(`drop routine ${signature}`);
  if (!isCreated) await sql.unsafe(again);
  for (const { text } of file.filter((statement) => describes(statement, routine))) await sql.unsafe(text);
}

/** @throws Problem with file and line, and the message and hint of Postgres */
async function run(sql: postgres.TransactionSql, statement: Located, file: Statement[]): Promise<void> {
  const { path, line, text, again, routine } = statement;
  try {
    if (routine) await createRoutine(sql, { again: again!, routine }, file);
    else await sql.unsafe(again!);
  } catch (error) {
    const { message, hint, position } = error as { message: string; hint?: string; position?: string };
    const lines = again === text && position ? text.slice(0, Number(position)).split("\n").length - 1 : 0;
    throw new Problem(
      `${path}:${line + lines} ${message}`,
      `${hint ? `${hint}\n` : ""}Nothing of this change was applied. Save the file again once it is right.`,
    );
  }
}

/**
 * Applies changes of sql/ to a running store, in one transaction: functions, procedures, views, triggers, policies,
 * comments and grants. What concerns rows, such as a column, is left, because a migration has to say what becomes of them.
 * The manifest is brought up to date, so that the store does not take the change for a manipulation.
 * @param url of role postgres
 * @param files in the order in which they are loaded
 * @param generated the texts of the files that are generated from the catalogue, which functions of schema api change
 * @throws Problem with file and line; the store is as before
 */
export async function applySql(url: string, files: ChangedFile[], generated: string[]): Promise<Applied> {
  const changes = files.map(({ path, before, after }) => {
    const [former, now] = [read(path, before), read(path, after)];
    const known = new Set(former.map(({ text }) => text));
    return { path, now, changed: now.filter(({ text }) => !known.has(text)), former };
  });
  const changed = changes.flatMap(({ path, changed: some }) => some.map((statement) => ({ ...statement, path })));
  const present = new Set(changes.flatMap(({ now }) => now.map(({ routine }) => routine)));
  const removed = new Set(
    changes.flatMap(({ former }) => former.map(({ routine }) => routine)).filter((name) => name && !present.has(name)),
  );
  const applicable = changed.filter(({ again }) => again !== undefined);
  const sql = openConnection(url, { max: 1, connection: { lock_timeout: 5_000 } });
  try {
    await sql.begin(async (transaction) => {
      for (const statement of applicable)
        await run(transaction, statement, changes.find(({ path }) => path === statement.path)!.now);
      for (const name of removed)
        for (const { signature } of await routinesNamed(transaction, name!))
          await transaction.unsafe(`drop routine ${signature}`);
      const touchesApi = [...applicable.map(({ routine }) => routine), ...removed].some((name) =>
        name?.startsWith("api."),
      );
      if (touchesApi) for (const text of generated) await transaction.unsafe(text);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
  const manifest = await manifestChanges(url, url);
  if (manifest !== "") await withConnection(url, (connection) => connection.unsafe(manifest));
  return {
    done: [...applicable.map(({ title }) => title), ...[...removed].map((name) => `drop ${name}`)],
    left: changed.filter(({ again }) => again === undefined).map(({ path, line, title }) => `${path}:${line} ${title}`),
  };
}

/** The body of a function or procedure, without its line breaks, which a migration may leave as they were. */
const bodyOf = (definition: string) => inOneLine(/\bas (\$\w*\$)([\s\S]*)\1$/.exec(definition)?.[2] ?? "");

/** The functions and procedures of a file whose bodies a store does not have. @param bodies those that it has */
export const missingRoutines = (text: string, bodies: Set<string>): Statement[] =>
  statementsOf(text).filter((statement) => statement.routine && !bodies.has(bodyOf(statement.text)));

/** The bodies of all functions and procedures of a store. */
export async function bodiesOf(url: string): Promise<Set<string>> {
  const rows = await withConnection(url, (sql) => sql<{ body: string }[]>`select prosrc as body from pg_proc`);
  return new Set(rows.map(({ body }) => inOneLine(body)));
}
