import { checkBundle } from "../audit/check_bundle.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { step } from "../ground/progress.ts";

/** How many differences are printed. */
const SHOWN = 50;

const command = describeCommand({
  usage: "npm run audit:check --",
  summary: `Checks the bundle of a month: the hashes of its files, the seal of its bill, and every settlement of the month, which it decides again with the functions
of this checkout. Of the folder, it runs nothing, and it reads nothing else.`,
  notes: `Example: npm run audit:check -- audit-2026-10

docs/audit.md says what the bundle proves, and what not.

Exit status: 0 everything agrees, 1 something does not, 2 it could not be checked.`,
}).argument("<folder>", "the folder that npm run audit:bundle has written");

async function auditCheck(folder: string): Promise<number> {
  const { month, findings, settlements, differences, isSealed, bundle } = await step(`Check of ${folder}`, (show) =>
    checkBundle(folder, show),
  );
  for (const finding of findings) console.log(finding);
  for (const { subject, decided, booked } of differences.slice(0, SHOWN))
    console.log(`${subject}\n  decided: ${decided}\n  booked:  ${booked}`);
  if (differences.length > SHOWN) console.log(`… and ${differences.length - SHOWN} more.`);
  console.log(
    settlements === undefined
      ? `${month}: nothing was decided again.`
      : `${month}: ${settlements} settlements decided again, differences: ${differences.length}.`,
  );
  console.log(`Bundle: ${bundle}.`);
  if (!isSealed)
    console.log("The bundle has no seal, so nothing shows that its bill was not changed before it was written.");
  return findings.length + differences.length > 0 ? 1 : 0;
}

await runCommandLine(command, auditCheck, 2);
