import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";

const command = describeCommand({
  usage: "npm run reconcile --",
  summary: "Recomputes every balance, count, place, release and refund from its records and reports differences. Read-only.",
  notes: `DATABASE_URL   the database to reconcile (default: the running local stack)

Exit status: 0 no differences, 1 differences found, 2 reconciliation failed.`,
}).option("--json", "print the findings as JSON");

interface Finding {
  check_name: string;
  subject: string;
  expected: string;
  actual: string;
}

async function reconcile({ json }: { json?: boolean }): Promise<number> {
  const findings = await withDatabase(async (sql) => [...(await sql<Finding[]>`select * from app.reconcile()`)]);
  if (json) console.log(JSON.stringify(findings, null, 2));
  else if (findings.length === 0) console.log("Every balance equals its bill, every count its orders, every release its log.");
  else printTable(["check", "subject", "expected", "actual"], findings.map((finding) => [finding.check_name, finding.subject, finding.expected, finding.actual]));
  return findings.length === 0 ? 0 : 1;
}

await runCommandLine(command, reconcile, 2);
