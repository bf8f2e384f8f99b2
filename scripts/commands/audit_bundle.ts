import { readSealSecret } from "../../functions/_shared/secrets/seals.ts";
import { writeBundle } from "../audit/write_bundle.ts";
import { chosenMonth } from "../command_line/chosen_month.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { step } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run audit:bundle --",
  summary: `Writes what an auditor needs to decide every settlement of a month again without the store: the bill with its seal, the journal, orders, settlements, plans,
levels, the state that the month began with, and the functions that decide. It has no names, phones, addresses or accounts. It reads one snapshot of the
store and changes nothing.`,
  notes: `Example: npm run audit:bundle -- --month 2026-10 --out audit-2026-10 && npm run audit:check -- audit-2026-10

DATABASE_URL        the database to work on (default: the running local stack)
STORE_SEAL_SECRET   the secret of the seals. Without it, the bundle has no seal

docs/audit.md says what is in it, and what it proves.

Exit status: 0 written, 2 the bundle could not be written.`,
})
  .option("--month <YYYY-MM>", "the month (default: the last one that is over)")
  .option("--out <folder>", "the folder to write, new or empty (default: audit-<month>)");

interface Options {
  month?: string;
  out?: string;
}

async function auditBundle({ month: named, out }: Options): Promise<void> {
  const secret = readSealSecret({ get: (name) => process.env[name] });
  await withDatabase(async (sql) => {
    await sql`begin isolation level repeatable read read only`;
    const month = await chosenMonth(sql, named);
    const folder = out ?? `audit-${month}`;
    const { files } = await step(`Bundle of ${month}`, (show) => writeBundle(sql, { folder, month, secret, show }));
    console.log(
      `${files["settlements.jsonl"]!.lines} settlements and ${files["bill.txt"]!.lines} bill rows in ${folder}.`,
    );
    if (!("seal.json" in files))
      console.log("It has no seal: the month is not sealed, or STORE_SEAL_SECRET is not set.");
  });
}

await runCommandLine(command, auditBundle, 2);
