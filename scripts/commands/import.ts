import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";
import { type Finding, type Result, runImport } from "../import/run_import.ts";

const command = describeCommand({
  usage: "npm run import --",
  summary: `Imports members, products, orders and old bill rows of another system from a folder of CSV files: the tables of CRMEB, or the neutral
form that docs/import.md describes. It first checks all files and imports nothing if it finds an error. If it was stopped, the next run continues
the import. Rows that were imported before are left as they are.`,
  notes: `Example: npm run import -- ./export --dry-run

DATABASE_URL   the database to import into (default: the running local stack); through a pooler, in session mode

Exit status: 0 imported, or nothing to import; 1 the files have errors, or reconcile() finds differences; 2 the import failed.`,
})
  .argument("<folder>", "the folder of the CSV files")
  .option("--dry-run", "check the files and show what would be imported, but import nothing")
  .option("--batch <n>", "rows of one transaction", wholeNumber(50_000), 10_000)
  .option("--json", "print the result as JSON, after the progress");

interface Options {
  dryRun?: boolean;
  batch: number;
  json?: boolean;
}

function printReport(findings: Finding[], counts: Result["counts"]): void {
  console.log("");
  if (findings.length > 0) {
    printTable(
      ["", "file", "line", "column", "finding"],
      findings.map(({ severity, file, line, column, finding, value }) => [severity, file, String(line), column, value === null ? finding : `${finding}: ${value}`]),
    );
    const kinds = new Map(findings.map((finding) => [`${finding.severity} ${finding.file} ${finding.column} ${finding.finding}`, finding]));
    for (const { file, column, finding, total } of kinds.values()) {
      const shown = findings.filter((other) => other.file === file && other.column === column && other.finding === finding).length;
      if (total > shown) console.log(`  … ${total - shown} more in ${file}: ${column} ${finding}`);
    }
    console.log("");
  }
  if (counts.length > 0) {
    printTable(["", "in the files", "not imported yet"], counts.map(({ file, total, new_rows }) => [file, String(total), String(new_rows)]), 1);
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

await runCommandLine(command, importFolder, 2);
