import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";
import { style } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run hjf:verify-agent-config --",
  summary: `Checks the levels, their tasks, the commission plan, the schedule and the article pool, and runs test orders end to end (sign-up, orders,
payment, settlement, rise, release, refund) in a transaction that is rolled back. It changes nothing.`,
  notes: `DATABASE_URL   the database to check (default: the running local stack)

Exit status: 0 no errors (there may be warnings), 1 errors found, 2 the check failed.`,
}).option("--json", "print the findings as JSON");

interface Finding {
  check_id: string;
  severity: "ok" | "hint" | "warning" | "error";
  subject: string;
  message: string;
  hint: string;
}

const marks = { ok: style.good("✓"), hint: "–", warning: "!", error: style.bad("✗") };

function printFindings(findings: Finding[]): void {
  printTable(
    ["", "check", "subject", "result"],
    findings.map(({ check_id, severity, subject, message }) => [marks[severity], check_id, subject, message]),
  );
  const open = findings.filter(({ severity }) => severity !== "ok");
  for (const { check_id, subject, hint } of open) console.log(`\n${check_id} (${subject}): ${hint}`);
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  console.log(`\n${count("ok")} ok, ${count("hint")} hints, ${count("warning")} warnings, ${count("error")} errors`);
}

async function verify({ json }: { json?: boolean }): Promise<number> {
  const findings = await withDatabase(async (sql) => [
    ...(await sql<Finding[]>`select * from app.verify_agent_config()`),
  ]);
  if (json) console.log(JSON.stringify(findings, null, 2));
  else printFindings(findings);
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

await runCommandLine(command, verify, 2);
