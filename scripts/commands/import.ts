import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";
import { abandonImport, type Finding, type Result, runImport } from "../import/run_import.ts";
import { Problem } from "../ground/problem.ts";

const command = describeCommand({
  usage: "npm run import --",
  summary: `Imports members, products, orders and old bill rows of another system from a folder of CSV files: the tables of CRMEB, or the neutral
form that docs/import.md describes. It first checks all files and imports nothing if it finds an error. If it was stopped, the next run with the
same files continues the import; until it has ended, no order is settled. Rows that were imported before are left as they are.`,
  notes: `Examples:
  npm run import -- ./export --dry-run
  npm run import -- --abandon                 end an import that was stopped; what it has written stays
  npm run import -- --claim 501 --for 10023   give the imported member 501 to the person who is member 10023 now

DATABASE_URL   the database to import into (default: the running local stack); through a pooler, in session mode

Exit status: 0 done, or nothing to do; 1 the files have errors, reconcile() finds differences, or the claim is not possible; 2 the command failed.`,
})
  .argument("[folder]", "the folder of the CSV files")
  .option("--dry-run", "check the files and show what would be imported, but import nothing")
  .option("--batch <n>", "rows of one transaction", wholeNumber(50_000), 10_000)
  .option("--abandon", "end an import that was stopped, instead of continuing it")
  .option(
    "--claim <number>",
    "the number of an imported member in the previous system, with --for",
    wholeNumber(999_999_999_999_999),
  )
  .option(
    "--for <uid>",
    "the member of this store whose account gets the imported member",
    wholeNumber(999_999_999_999_999),
  )
  .option("--json", "print the result as JSON, after the progress");

interface Options {
  dryRun?: boolean;
  batch: number;
  abandon?: boolean;
  claim?: number;
  for?: number;
  json?: boolean;
}

function printReport(findings: Finding[], counts: Result["counts"]): void {
  console.log("");
  if (findings.length > 0) {
    printTable(
      ["", "file", "line", "column", "finding"],
      findings.map(({ severity, file, line, column, finding, value }) => [
        severity,
        file,
        String(line),
        column,
        value === null ? finding : `${finding}: ${value}`,
      ]),
    );
    const kinds = new Map(
      findings.map((finding) => [`${finding.severity} ${finding.file} ${finding.column} ${finding.finding}`, finding]),
    );
    for (const { file, column, finding, total } of kinds.values()) {
      const shown = findings.filter(
        (other) => other.file === file && other.column === column && other.finding === finding,
      ).length;
      if (total > shown) console.log(`  … ${total - shown} more in ${file}: ${column} ${finding}`);
    }
    console.log("");
  }
  if (counts.length > 0) {
    printTable(
      ["", "in the files", "not imported yet"],
      counts.map(({ file, total, new_rows }) => [file, String(total), String(new_rows)]),
      1,
    );
    console.log("");
  }
}

async function importFolder(folder: string, { dryRun = false, batch, json }: Options): Promise<number> {
  const result = await withDatabase((sql) => runImport(sql, folder, { dryRun, batch }, printReport));
  const errors = result.findings.filter(({ severity }) => severity === "error").length;
  if (json) console.log(JSON.stringify(result, null, 2));
  else if (errors > 0) console.log("Nothing was imported. Correct the files and run the command again.");
  else if (dryRun) console.log("The files can be imported. Nothing was written.");
  else if (!result.is_imported) console.log("Everything in these files is imported already.");
  else if (result.differences === 0) console.log("Imported. reconcile() finds no difference.");
  else console.log(`Imported. reconcile() finds ${result.differences} differences: npm run reconcile shows them.`);
  return errors > 0 || result.differences > 0 ? 1 : 0;
}

async function abandon({ json }: Options): Promise<number> {
  const abandoned = await withDatabase(abandonImport);
  if (json) console.log(JSON.stringify({ abandoned: abandoned ?? null }, null, 2));
  else if (!abandoned) console.log("No import is unfinished.");
  else {
    const { started_at, products, members, orders, bill_rows } = abandoned;
    console.log(
      `The import that began at ${started_at} is ended. Its ${products} products, ${members} members, ${orders} orders and ${bill_rows} old bill rows stay.`,
    );
    console.log(
      "Orders that waited for it are settled now. Members whose own orders were not imported are not eligible by them (R4).",
    );
  }
  return 0;
}

async function claim(oldUid: number, uid: number, { json }: Options): Promise<number> {
  const reason = await withDatabase(async (sql) => {
    const [row] = await sql<{ reason: string | null }[]>`select app.claim_for(${uid}, ${oldUid}) as reason`;
    return row?.reason ?? null;
  });
  if (json) console.log(JSON.stringify({ claimed: reason === null, reason }, null, 2));
  else
    console.log(
      reason ?? `The account of member ${uid} has the imported member ${oldUid} now. The member ${uid} is deleted.`,
    );
  return reason === null ? 0 : 1;
}

async function run(folder: string | undefined, options: Options): Promise<number> {
  const isClaim = options.claim !== undefined || options.for !== undefined;
  if ([folder !== undefined, options.abandon === true, isClaim].filter(Boolean).length !== 1) {
    throw new Problem(
      "Name a folder, or --abandon, or --claim and --for.",
      "Run the command with --help to see its options.",
    );
  }
  if (folder !== undefined) return importFolder(folder, options);
  if (!isClaim) return abandon(options);
  if (options.claim === undefined || options.for === undefined)
    throw new Problem("--claim and --for belong together.", "Example: npm run import -- --claim 501 --for 10023");
  return claim(options.claim, options.for, options);
}

await runCommandLine(command, run, 2);
