import type postgres from "postgres";
import { Problem as FunctionProblem } from "../../functions/_shared/responses/problem.ts";
import { readRealNames, type RealNames } from "../../functions/_shared/secrets/real_names.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";

const command = describeCommand({
  usage: "npm run rotate:real-names",
  summary: `Encrypts every real name anew that another key than the present ones has encrypted or indexed, a hundred at a time. A run that was cut is
continued by the next one. Members can give real names, and administrators read them, meanwhile.`,
  notes: `DATABASE_URL                 the database to work on (default: the running local stack)
STORE_REAL_NAME_KEY          the new key that encrypts
STORE_REAL_NAME_FORMER_KEY   the key before, which decrypts
STORE_REAL_NAME_INDEX_KEY    the key of the blind index, new or as it was

docs/operations.md, "Real names", says in which order keys are replaced.

Exit status: 0 every real name has the present keys; 2 some could not be decrypted.`,
});

const BATCH = 100;

interface Row {
  id: string;
  uid: string;
  ciphertext: string;
  key_id: string;
}

function realNamesOfEnvironment(): RealNames {
  const advice =
    "Set STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY, each to an output of openssl rand -hex 32, and the key before as STORE_REAL_NAME_FORMER_KEY.";
  try {
    const realNames = readRealNames({ get: (name) => process.env[name] });
    if (realNames) return realNames;
  } catch (error) {
    throw new Problem((error as Error).message, advice);
  }
  throw new Problem("There is no key to encrypt with.", advice);
}

/** Encrypts a row anew. @returns undefined, after a line about it, if it cannot be decrypted */
async function rotated({ id, uid, ciphertext, key_id }: Row, realNames: RealNames) {
  try {
    const realName = await realNames.decrypt({ uid: Number(uid), ciphertext, key_id });
    return { id, former: ciphertext, ...(await realNames.encrypt(Number(uid), realName)) };
  } catch (error) {
    if (!(error instanceof FunctionProblem)) throw error;
    console.log(`Member ${uid}: ${error.detail ?? "the ciphertext was changed, or is that of another member."}`);
    return undefined;
  }
}

async function rotate(): Promise<number> {
  const realNames = realNamesOfEnvironment();
  const { key_id, index_key_id } = await realNames.keys();
  return withDatabase(async (sql: postgres.Sql) => {
    const next = (after: string) => sql<Row[]>`
      select r.id, r.uid, encode(r.ciphertext, 'hex') as ciphertext, r.key_id from app.real_names as r
      where r.id > ${after} and (r.key_id, r.index_key_id) <> (${key_id}, ${index_key_id}) order by r.id limit ${BATCH}`;
    let done = 0;
    for (let rows = await next("0"); rows.length > 0; rows = await next(rows.at(-1)!.id)) {
      const anew = (await Promise.all(rows.map((row) => rotated(row, realNames)))).filter((row) => row !== undefined);
      const [result] = await sql<{ count: number }[]>`select app.rotate_real_names(${sql.json(anew)}) as count`;
      done += result!.count;
    }
    console.log(`Encrypted anew: ${done}.`);
    // Those that a member has given meanwhile to a function that still has the former key are left, too.
    const left = await sql<{ key_id: string; count: number }[]>`
      select r.key_id, count(*)::int as count from app.real_names as r
      where (r.key_id, r.index_key_id) <> (${key_id}, ${index_key_id}) group by r.key_id order by r.key_id`;
    for (const { key_id: other, count } of left)
      console.log(
        `Left with the key ${other}: ${count}. Keep it, and run this again with it as STORE_REAL_NAME_FORMER_KEY.`,
      );
    if (left.length === 0)
      console.log("Every real name has the present keys: STORE_REAL_NAME_FORMER_KEY is needed for older backups only.");
    return left.length === 0 ? 0 : 2;
  });
}

await runCommandLine(command, rotate, 2);
