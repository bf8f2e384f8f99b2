import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type postgres from "postgres";
import { monthSecret, readSealer, type Seal, type Sealer, signSeal } from "../../functions/_shared/secrets/seals.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { monthAfter } from "../../scripts/seals/check_list.ts";
import { rootOf, storedSeals } from "../../scripts/seals/check_month.ts";
import { runHistory } from "../journal/store.ts";
import { history } from "../../scripts/histories/history.ts";
import { seed } from "../support/index.ts";

const secretText = () => randomBytes(32).toString("hex");

/** What seals the months of a store. */
export async function newSealer(settings: Record<string, string> = {}): Promise<Sealer> {
  const environment = new Map(
    Object.entries({ STORE_SEAL_SECRET: secretText(), STORE_SEAL_KEY: secretText(), ...settings }),
  );
  return (await readSealer(environment))!;
}

/** Seals a closed month. */
export async function sealMonth(
  sql: postgres.Sql | postgres.TransactionSql,
  month: string,
  sealer: Sealer,
): Promise<void> {
  const { seal: _, ...found } = await rootOf(sql, month, sealer.secret);
  const { rows, root, previous, key, signature, former_signature } = await signSeal(found, sealer);
  await sql`select app.record_seal(${month}, ${rows}, ${root}, ${previous}, ${key}, ${signature}, ${former_signature}, false, now())`;
}

/**
 * A store after a random history whose months are sealed, from the one before the first row on.
 * @returns the seals, and the one of the month in which most happened
 */
export async function sealedStore(sql: postgres.Sql, sealer: Sealer): Promise<{ seals: Seal[]; fullest: Seal }> {
  // One after the other, so that the balances of a member follow the clock.
  await runHistory(sql, fc.sample(history, { seed: seed(), numRuns: 12 }).flat());
  const [bounds] = await sql<{ before: string; now: string; fullest: string }[]>`
    select to_char(app.month_of(min(b.add_time)) - interval '1 month', 'YYYY-MM') as before, to_char(app.month_of(now()), 'YYYY-MM') as now, (
      select to_char(app.month_of(r.add_time), 'YYYY-MM') as month from app.user_bill as r
      where app.month_of(r.add_time) < app.month_of(now())
      group by 1 order by count(distinct r.add_time) desc, 1 limit 1
    ) as fullest
    from app.user_bill as b`;
  for (let month = bounds!.before; month < bounds!.now; month = monthAfter(month)) {
    await sql`select from app.close_month(${month}, null)`;
    await sealMonth(sql, month, sealer);
  }
  const seals = await storedSeals(sql);
  return { seals, fullest: seals.find(({ month }) => month === bounds!.fullest)! };
}

/** What proves the rows of a member. */
export interface Proof {
  uid: number;
  seal: Seal;
  rows: { place: number; salt: string; text: string; path: string[] }[];
}

/** What proves the rows of a member in a month. */
export async function proofOf(
  sql: postgres.TransactionSql,
  uid: number,
  month: string,
  { secret }: Sealer,
): Promise<Proof> {
  const [row] = await sql<
    { proof: Proof }[]
  >`select app.statement_proof(${uid}, ${month}, ${await monthSecret(secret, month)}) as proof`;
  return row!.proof;
}

interface Sentence {
  kind: "good" | "bad" | "note";
  en: string;
  zh: string;
}

const [, script] = /<script>([\s\S]*)<\/script>/.exec(
  readFileSync(join(projectRoot, "docs/verify_seal.html"), "utf8"),
)!;

/** What docs/verify_seal.html says. */
// oxlint-disable-next-line typescript/no-implied-eval -- the script of a page that imports nothing
export const verdictOf = new Function(`${script}; return verdictOf`)() as (
  list: string,
  keys: string,
  proof: string,
) => Promise<Sentence[]>;
