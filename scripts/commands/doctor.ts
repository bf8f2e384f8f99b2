import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { printAnswers, withPoint } from "../doctor/answers.ts";
import { examineDatabase, examineFunctionDatabase, noDatabase } from "../doctor/database_findings.ts";
import type { Finding } from "../doctor/finding.ts";
import { examineFunctions } from "../doctor/function_findings.ts";
import { examinePictureLibraries } from "../doctor/picture_libraries.ts";
import { examinePlatform } from "../doctor/platform_findings.ts";
import { type Project, readProject } from "../doctor/project.ts";
import { examineSignUp } from "../doctor/sign_up_findings.ts";
import { examineSites } from "../doctor/site_findings.ts";
import { Problem } from "../ground/problem.ts";
import { readStackFile } from "../ground/stack_file.ts";

const command = describeCommand({
  usage: "npm run doctor --",
  summary: `Examines a project before and after a deployment: it answers each point of the list of docs/deploy.md with yes, no or unknown, and says for each
no what to do. It changes nothing.`,
  notes: `DATABASE_URL              the database of the project (role postgres); for the running local stack, its own
STORE_DB_URL              the address that the functions have or will have: the doctor signs in with it
SUPABASE_ACCESS_TOKEN     in place of \`npx supabase login\`
SUPABASE_PUBLISHABLE_KEY  the key of the clients, if the platform cannot be asked
STORE_H5_URL              the address of the H5 app, if the platform cannot be asked or Auth has another site URL
STORE_CONSOLE_URL         the address of the console, if it is none of the redirect URLs of Auth

Exit status: 0 no errors (there may be warnings, and checks that were skipped), 1 errors found, 2 the examination failed.`,
})
  .option(
    "--project <ref or URL>",
    "the project: its reference, or its address (http://127.0.0.1:54321 is the local stack)",
  )
  .option("--url <URL>", "the address of a project that has a domain of its own")
  .option("--json", "print what was found as JSON, each finding with its point");

async function examine(project: Project): Promise<Finding[]> {
  const stack = readStackFile();
  const isLocalStack = stack?.supabase_url === project.url;
  if (isLocalStack) process.env.DATABASE_URL ||= stack.database_url;
  const { DATABASE_URL, STORE_DB_URL } = process.env;
  const [platform, ...ofDatabase] = await Promise.all([
    examinePlatform(project),
    DATABASE_URL ? examineDatabase(project) : noDatabase,
    STORE_DB_URL ? examineFunctionDatabase(STORE_DB_URL, project.ref) : [],
  ]);
  const { auth, secrets, publicKeys } = platform;
  const key = process.env.SUPABASE_PUBLISHABLE_KEY ?? (isLocalStack ? stack.publishable_key : undefined);
  if (key) publicKeys.set("publishable key", key);
  return [
    ...platform.findings,
    ...ofDatabase.flat(),
    ...(await examineFunctions(project, publicKeys, secrets)),
    ...(await examineSignUp(project, publicKeys)),
    ...(await examineSites(project, auth)),
    ...examinePictureLibraries(),
  ];
}

async function run({ project, url, json }: { project?: string; url?: string; json?: boolean }): Promise<number> {
  if (project === undefined)
    throw new Problem(
      "Which project?",
      "Example: npm run doctor -- --project <ref>. The running local stack is --project http://127.0.0.1:54321.",
    );
  const findings = await examine(readProject(project, url));
  if (json) console.log(JSON.stringify(findings.map(withPoint), null, 2));
  else printAnswers(findings);
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

await runCommandLine(command, run, 2);
