import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { examineDatabase, examineFunctionDatabase, noDatabase } from "../doctor/database_findings.ts";
import type { Finding } from "../doctor/finding.ts";
import { examineFunctions } from "../doctor/function_findings.ts";
import { examinePictureLibraries } from "../doctor/picture_libraries.ts";
import { examinePlatform } from "../doctor/platform_findings.ts";
import { type Project, readProject } from "../doctor/project.ts";
import { examineSignUp } from "../doctor/sign_up_findings.ts";
import { Problem } from "../ground/problem.ts";
import { style } from "../ground/progress.ts";
import { readStackFile } from "../ground/stack_file.ts";

const command = describeCommand({
  usage: "npm run doctor --",
  summary: `Examines a project before and after a deployment, and says for each finding how to fix it: link, secrets, extensions, migrations, roles,
password of the functions, scheduled jobs, functions and the API keys that they accept, signing of tokens, confirmation of new accounts, addresses in mails, share link URL,
administrators, age of the libraries that read pictures. It changes nothing.`,
  notes: `DATABASE_URL              the database of the project (role postgres); for the running local stack, its own
STORE_DB_URL              the address that the functions have or will have: the doctor signs in with it
SUPABASE_ACCESS_TOKEN     in place of \`npx supabase login\`
SUPABASE_PUBLISHABLE_KEY  the key of the clients, if the platform cannot be asked

Exit status: 0 no errors (there may be warnings, and checks that were skipped), 1 errors found, 2 the examination failed.`,
})
  .option(
    "--project <ref or URL>",
    "the project: its reference, or its address (http://127.0.0.1:54321 is the local stack)",
  )
  .option("--url <URL>", "the address of a project that has a domain of its own")
  .option("--json", "print the findings as JSON");

const marks = { ok: style.good("✓"), hint: "–", warning: "!", error: style.bad("✗"), skipped: "–" };

async function examine(project: Project): Promise<Finding[]> {
  const stack = readStackFile();
  const isLocalStack = stack?.supabase_url === project.url;
  if (isLocalStack) process.env.DATABASE_URL ||= stack.database_url;
  const { findings, secrets, publicKeys } = await examinePlatform(project);
  const key = process.env.SUPABASE_PUBLISHABLE_KEY ?? (isLocalStack ? stack.publishable_key : undefined);
  if (key) publicKeys.set("publishable key", key);
  return [
    ...findings,
    ...(process.env.DATABASE_URL ? await examineDatabase() : [noDatabase]),
    ...(process.env.STORE_DB_URL ? await examineFunctionDatabase(process.env.STORE_DB_URL) : []),
    ...(await examineFunctions(project, publicKeys, secrets)),
    ...(await examineSignUp(project, publicKeys)),
    ...examinePictureLibraries(),
  ];
}

function print(findings: Finding[]): void {
  printTable(
    ["", "check", "result"],
    findings.map(({ check, severity, message }) => [marks[severity], check, message]),
  );
  for (const { check, severity, message, hint } of findings)
    if (severity !== "ok" && hint) console.log(`\n${check}: ${message}\n  ${hint}`);
  const count = (severity: Finding["severity"]) => findings.filter((finding) => finding.severity === severity).length;
  console.log(
    `\n${count("ok")} ok, ${count("hint")} hints, ${count("warning")} warnings, ${count("error")} errors, ${count("skipped")} skipped`,
  );
}

async function run({ project, url, json }: { project?: string; url?: string; json?: boolean }): Promise<number> {
  if (project === undefined)
    throw new Problem(
      "Which project?",
      "Example: npm run doctor -- --project <ref>. The running local stack is --project http://127.0.0.1:54321.",
    );
  const findings = await examine(readProject(project, url));
  if (json) console.log(JSON.stringify(findings, null, 2));
  else print(findings);
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

await runCommandLine(command, run, 2);
