import { appendFileSync, writeFileSync } from "node:fs";
import type postgres from "postgres";
import { monthSecret, readSealer, type Seal, type Sealer, signSeal } from "../../functions/_shared/secrets/seals.ts";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";
import { findingsOfMonth, rootOf, storedSeals } from "../seals/check_month.ts";
import { lineOf, readListFile } from "../seals/list.ts";

const command = describeCommand({
  usage: "npm run seal --",
  summary: `Seals closed months: signs the root of a hash tree over the bill rows of each, and records the seal. Without --month, it seals each month that is
closed and next in sequence; the first seal can be of any closed month.`,
  notes: `DATABASE_URL            the database to work on (default: the running local stack)
STORE_SEAL_SECRET       the secret of the salts: the output of openssl rand -hex 32. Never change it
STORE_SEAL_KEY          the private key that signs: another output of openssl rand -hex 32
STORE_SEAL_FORMER_KEY   the key before, which vouches for a new STORE_SEAL_KEY

docs/seals.md describes what a seal proves, and how to keep both.

Exit status: 0 sealed, or nothing to seal; 2 a month could not be sealed.`,
})
  .option("--month <YYYY-MM>", "one month")
  .option("--list <file>", "the published list: seals that it does not have are added at its end")
  .option("--former-key-is-lost", "seal with a new key for which the former one cannot vouch")
  .option("--prove <uid>", "write what proves the rows of a member in the month", wholeNumber(Number.MAX_SAFE_INTEGER))
  .option("--out <file>", "the file to write a proof to (default: proof-<month>-<uid>.json)");

interface Options {
  month?: string;
  list?: string;
  formerKeyIsLost?: boolean;
  prove?: number;
  out?: string;
}

async function sealerOfEnvironment(): Promise<Sealer> {
  const advice =
    "Set STORE_SEAL_SECRET and STORE_SEAL_KEY, each to an output of openssl rand -hex 32, and keep both (docs/seals.md).";
  const sealer = await readSealer({ get: (name) => process.env[name] }).catch((error: unknown) => {
    throw new Problem((error as Error).message, advice);
  });
  if (!sealer) throw new Problem("There is no key to seal with.", advice);
  return sealer;
}

/** Seals a month. A month that is sealed already must have the same root. */
async function sealMonth(sql: postgres.Sql, month: string, sealer: Sealer, formerKeyIsLost: boolean): Promise<void> {
  const { seal: existing, ...found } = await step(`Root of ${month}`, () => rootOf(sql, month, sealer.secret));
  if (existing) {
    const [finding] = findingsOfMonth(found, existing);
    if (finding) throw new Problem(finding, "A sealed month cannot be sealed again.");
    return console.log(`${month} is sealed, and its rows still give the root.`);
  }
  const { rows, root, previous, key, signature, former_signature } = await signSeal(found, sealer);
  await sql`
    select app.record_seal(${month}, ${rows}, ${root}, ${previous}, ${key}, ${signature}, ${former_signature}, ${formerKeyIsLost}, clock_timestamp())`;
  console.log(`${month}: ${rows} rows, root ${root}, key ${key}.`);
}

/** Adds to the list the seals that it does not have. What it has must be what the store has. */
function extendList(path: string, stored: Seal[]): void {
  const list = readListFile(path, false);
  const other = list.findIndex((seal, at) => stored[at] === undefined || lineOf(seal) !== lineOf(stored[at]));
  if (other >= 0)
    throw new Problem(
      `Line ${other + 1} of ${path} is not the seal of the store.`,
      "Compare them: npm run verify:seal -- --list <file>.",
    );
  const added = stored.slice(list.length);
  appendFileSync(path, added.map((seal) => `${lineOf(seal)}\n`).join(""));
  console.log(`Added to ${path}: ${added.length}.`);
}

async function writeProof(
  sql: postgres.Sql,
  month: string,
  uid: number,
  path: string,
  { secret }: Sealer,
): Promise<void> {
  const [row] = await sql<
    { proof: string }[]
  >`select app.statement_proof(${uid}, ${month}, ${await monthSecret(secret, month)})::text as proof`;
  writeFileSync(path, `${row!.proof}\n`);
  console.log(`Written: ${path}. docs/verify_seal.html checks it.`);
}

async function seal({ month: named, list, formerKeyIsLost = false, prove, out }: Options): Promise<void> {
  const sealer = await sealerOfEnvironment();
  if (prove !== undefined && named === undefined)
    throw new Problem("A proof is of one month.", "Name it with --month.");
  await withDatabase(async (sql) => {
    if (prove !== undefined) return writeProof(sql, named!, prove, out ?? `proof-${named}-${prove}.json`, sealer);
    const next = async () => (await sql<{ month: string | null }[]>`select app.month_to_seal() as month`)[0]!.month;
    if (named !== undefined) await sealMonth(sql, named, sealer, formerKeyIsLost);
    else {
      const first = await next();
      if (first === null) console.log("No closed month waits for its seal.");
      for (let month = first; month !== null; month = await next())
        await sealMonth(sql, month, sealer, formerKeyIsLost);
    }
    if (list !== undefined) extendList(list, await storedSeals(sql));
  });
}

await runCommandLine(command, seal, 2);
