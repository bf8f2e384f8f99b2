import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";
import { InvalidArgumentError, Option } from "commander";
import { chosenMonth } from "../command_line/chosen_month.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";
import { accountPlan } from "../journal/accounts.ts";
import { formats } from "../journal/formats.ts";
import { writeJournal } from "../journal/write_journal.ts";

/** The names of accounts in a JSON file. */
function renamedAccounts(path: string): Record<string, unknown> {
  try {
    const renamed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof renamed === "object" && renamed !== null && !Array.isArray(renamed))
      return renamed as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new InvalidArgumentError('It must be a JSON file such as {"bank": "assets:bank:icbc"}.');
}

const command = describeCommand({
  usage: "npm run export:journal --",
  summary: `Writes the journal of a month in double entry, for hledger, Ledger or Beancount, with the balances that must result. These do not come from
the bill: payouts come from withdrawals, redeemed points from orders, and commission from what the rules make of the orders. So the program finds
each wrong row. It reads one snapshot of the store and changes nothing.`,
  notes: `Example: npm run export:journal -- --month 2026-11 --format hledger && hledger -f journal-2026-11.journal check

DATABASE_URL   the database to work on (default: the running local stack)

Exit status: 0 written, 2 the journal could not be written.`,
})
  .option("--month <YYYY-MM>", "the month (default: the last one that is over)")
  .addOption(
    new Option("--format <program>", "the program that will read it").choices(Object.keys(formats)).default("hledger"),
  )
  .option("--accounts <file>", "other names of accounts, as a JSON file", renamedAccounts)
  .option("--out <file>", "the file to write (default: journal-<month> with the ending of the program)");

interface Options {
  month?: string;
  format: keyof typeof formats;
  accounts?: Record<string, unknown>;
  out?: string;
}

async function exportJournal({ month: named, format: program, accounts: renamed, out }: Options): Promise<void> {
  const format = formats[program];
  const accounts = accountPlan(renamed);
  await withDatabase(async (sql) => {
    await sql`begin isolation level repeatable read read only`;
    const month = await chosenMonth(sql, named);
    const path = out ?? `journal-${month}.${format.extension}`;
    const file = createWriteStream(path);
    await once(file, "open").catch((error: unknown) => {
      throw new Problem(`${path} cannot be written: ${(error as Error).message}`, "Name another file with --out.");
    });
    const write = async (text: string) => {
      if (!file.write(text)) await once(file, "drain");
    };
    const count = await step(`Journal of ${month}`, (show) =>
      writeJournal(sql, { month, format, accounts, write, show }),
    );
    file.end();
    await once(file, "finish");
    console.log(`${count} entries in ${path}. Check them: ${format.check(path).join(" ")}`);
  });
}

await runCommandLine(command, exportJournal, 2);
