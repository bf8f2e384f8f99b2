import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run expand --",
  summary: `Restores the releases of a compacted month: builds its bill and its release log with all rows beside it, compares them with what was compacted, and exchanges them.
Each step is a transaction. Cut at any of them, the next call goes on from there.`,
  notes: `DATABASE_URL   the database to work on (default: the running local stack)

docs/scale.md, "Growth in time", describes what compacting is for.

Exit status: 0 the month has all rows, 2 it could not be expanded.`,
}).option("--month <YYYY-MM>", "the month");

async function expand({ month }: { month?: string }): Promise<void> {
  if (month === undefined)
    throw new Problem(
      "There is no month to expand.",
      "Name it with --month. app.compacted_months lists those that are compacted.",
    );
  await withDatabase(async (sql) => {
    await step(
      `Rows of ${month}, built and compared`,
      () => sql`select app.build_expansion(app.month_start(${month}))`,
    );
    await step("Foreign keys", () => sql`select app.check_parts(app.month_start(${month}))`);
    await step("Exchange", () => sql`select app.exchange_expanded(app.month_start(${month}))`);
  });
  console.log(`${month} has all its rows again.`);
}

await runCommandLine(command, expand, 2);
