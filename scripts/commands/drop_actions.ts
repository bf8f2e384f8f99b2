import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import type postgres from "postgres";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run actions:drop --",
  summary: `Exports the oldest month of the action log to a file, one action per line, and then drops it from the store. The month must have ended long enough
ago. The store keeps the number of actions and a digest of the file, and its lists say since when they have actions. Keep the file: it is the only copy.`,
  notes: `Example: npm run actions:drop -- --month 2022-03

A file that is there already, because the command was cut, is taken if it has exactly the actions of the month.

DATABASE_URL   the database to work on (default: the running local stack)

docs/operations.md, "The action log", says what the term is, and how a file is checked later.

Exit status: 0 the month is exported and dropped, 2 it could not be.`,
})
  .option("--month <YYYY-MM>", "the month, in UTC: the oldest that the log has")
  .option("--file <file>", "the file to write (default: actions-<month>.jsonl)");

/** Writes the lines of a month. The file gets its name when it is complete and on the disk. */
async function writeActions(sql: postgres.Sql, month: string, path: string): Promise<void> {
  const file = await open(`${path}.part`, "w").catch((error: unknown) => {
    throw new Problem(`${path} cannot be written: ${(error as Error).message}`, "Name another file with --file.");
  });
  try {
    for await (const rows of sql<
      { line: string }[]
    >`select l.line from app.action_lines(app.month_start(${month})) as l (line)`.cursor(1000))
      await file.write(rows.map(({ line }) => `${line}\n`).join(""));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

/**
 * The number of lines of a file, and the SHA-256 of the SHA-256 of each, one after the other: what
 * app.digest_of_actions returns.
 */
async function digestOf(path: string): Promise<{ rows: number; digest: string }> {
  const all = createHash("sha256");
  let rows = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n")) {
      all.update(createHash("sha256").update(rest.subarray(0, end)).digest());
      rest = rest.subarray(end + 1);
      rows += 1;
    }
  }
  return { rows, digest: all.digest("hex") };
}

async function dropActions({ month, file }: { month?: string; file?: string }): Promise<void> {
  if (month === undefined)
    throw new Problem("There is no month to drop.", "Name it with --month: the oldest of the action log.");
  await withDatabase(async (sql) => {
    const [found] = await sql<{ obstacle: string | null; dropped: boolean }[]>`
      select app.drop_obstacle(m.month, clock_timestamp()) as obstacle, exists (select from app.dropped_actions as d where d.month = m.month) as dropped
      from app.month_start(${month}) as m (month)`;
    if (found!.dropped) return console.log(`The actions of ${month} were dropped before.`);
    if (found!.obstacle !== null)
      throw new Problem(
        `The actions of ${month} cannot be dropped: ${found!.obstacle}.`,
        "Nothing was changed. Months are dropped one after the other.",
      );
    const path = file ?? `actions-${month}.jsonl`;
    if (!existsSync(path)) await step(`Actions of ${month} in ${path}`, () => writeActions(sql, month, path));
    const { rows, digest } = await digestOf(path);
    await step("Dropped", () => sql`select app.drop_actions(app.month_start(${month}), ${rows}, ${digest})`);
    console.log(`${rows} actions are in ${path}, with the digest ${digest}, and no longer in the store.`);
  });
}

await runCommandLine(command, dropActions, 2);
