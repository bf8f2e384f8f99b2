import { parseArgs } from "node:util";
import { withDatabase } from "../console/database.ts";
import { printTable } from "../console/table.ts";
import { printError } from "../stack/problem.ts";

const help = `npm run reconcile [-- options]

Proves every balance, count, place, release and refund against its record. Reads only.

  --json    print the findings as JSON
  --help    show this

  DATABASE_URL   the database to reconcile (default: the running local stack)

Exit status: 0 nothing found, 1 something differs, 2 could not be reconciled.`;

interface Finding {
  check_name: string;
  subject: string;
  expected: string;
  actual: string;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const findings = await withDatabase(async (sql) => [...(await sql<Finding[]>`select * from app.reconcile()`)]);
  if (values.json) console.log(JSON.stringify(findings, null, 2));
  else if (findings.length === 0) console.log("Every balance equals its bill, every count its orders, every release its log.");
  else printTable(["check", "subject", "expected", "actual"], findings.map((finding) => [finding.check_name, finding.subject, finding.expected, finding.actual]));
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  printError(error);
  return 2;
});
