import { readSealSecret } from "../../functions/_shared/secrets/seals.ts";
import { InvalidArgumentError } from "commander";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";
import { differencesOf, findingsOfList } from "../seals/check_list.ts";
import { findingsOfMonth, rootOf, storedSeals } from "../seals/check_month.ts";
import { lineOf, readListFile } from "../seals/list.ts";

function publicKey(text: string, others: string[] = []): string[] {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError("It must have 64 hexadecimal digits.");
  return [...others, text];
}

const command = describeCommand({
  usage: "npm run verify:seal --",
  summary: `Checks sealed months: whether their rows still give the sealed roots, whether each seal follows that of the month before, and whether the
signatures are those of keys that you trust. It changes nothing.`,
  notes: `Example: npm run verify:seal -- --list seals.jsonl --key 3b6a…

DATABASE_URL        the database to work on (default: the running local stack)
STORE_SEAL_SECRET   the secret with which the months were sealed

Exit status: 0 everything agrees, 1 something does not, 2 it could not be checked.`,
})
  .option("--month <YYYY-MM>", "check the rows of one month only (default: of all sealed months)")
  .option("--list <file>", "the published list, from where it is hosted (default: the seals in the store)")
  .option("--key <public key>", "a public key that you trust; repeat it for several", publicKey);

interface Options {
  month?: string;
  list?: string;
  key?: string[];
}

async function verifySeal({ month: named, list: path, key: trusted = [] }: Options): Promise<number> {
  const secret = readSealSecret({ get: (name) => process.env[name] });
  if (!secret)
    throw new Problem(
      "The roots cannot be computed.",
      "Set STORE_SEAL_SECRET to the secret with which the months were sealed.",
    );
  return withDatabase(async (sql) => {
    const stored = await storedSeals(sql);
    const list = path === undefined ? stored : readListFile(path, true);
    const lost = await sql<{ month: string; lost: "row" | "seal" }[]>`
      select to_char(l.month, 'YYYY-MM') as month, l.lost from app.lost_months() as l`;
    const findings = [
      ...(await findingsOfList(list, trusted)),
      ...differencesOf(list, stored, lineOf),
      ...lost.map(({ month, lost }) =>
        lost === "row"
          ? `${month}: it was closed, and is closed no more.`
          : `${month}: it is closed, and its seal is gone.`,
      ),
    ];
    if (named !== undefined && !list.some(({ month }) => month === named))
      throw new Problem(`The month ${named} is not sealed.`, "Choose a sealed month, or seal it: npm run seal.");
    for (const seal of list.filter(
      ({ month }) => (named ?? month) === month && stored.some((seal) => seal.month === month),
    )) {
      const found = await step(`Rows of ${seal.month}`, () => rootOf(sql, seal.month, secret));
      const wrong = findingsOfMonth(found, seal);
      findings.push(...wrong);
      if (wrong.length === 0)
        console.log(`${seal.month}: ${seal.rows === 0 ? "no rows, as sealed" : `${seal.rows} rows as sealed`}.`);
    }
    for (const finding of findings) console.log(finding);
    if (trusted.length === 0 && list.length > 0)
      console.log(
        `You have named no key. The first seal is signed with ${list[0]!.key}: compare it with what the store has published.`,
      );
    return findings.length > 0 ? 1 : 0;
  });
}

await runCommandLine(command, verifySeal, 2);
