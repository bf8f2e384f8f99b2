import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Seal, Sealer } from "../../functions/_shared/secrets/seals.ts";
import { differencesOf, findingsOfList } from "../../scripts/seals/check_list.ts";
import { findingsOfMonth, rootOf, storedSeals } from "../../scripts/seals/check_month.ts";
import { lineOf, readList } from "../../scripts/seals/list.ts";
import { backdate } from "../journal/store.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { cloneDatabase, connect, rolledBack, testSize } from "../support/index.ts";
import { CUT_TAIL, editList, editProof, editRow, openMonths } from "./edits.ts";
import { expectedRoot, exportedRows } from "./hash_tree.ts";
import { newSealer, proofOf, sealedStore, sealMonth, verdictOf } from "./store.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: postgres.Sql;
let sealer: Sealer;
let store: Awaited<ReturnType<typeof sealedStore>>;
beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect(database.url);
  await prepareDatabase(sql);
  await backdate(sql);
  sealer = await newSealer();
  store = await sealedStore(sql, sealer);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const listOf = (seals: Seal[]) => seals.map((seal) => `${lineOf(seal)}\n`).join("");
/** What the page has against a list and a proof. */
const objectionsOf = async (list: string, keys: string, proof = "") =>
  (await verdictOf(list, keys, proof)).filter(({ kind }) => kind === "bad").map(({ en }) => en);

/** The member with most rows in a month. */
async function busiest(transaction: postgres.TransactionSql, month: string): Promise<number> {
  const [row] = await transaction<{ uid: string }[]>`
    select b.uid from app.user_bill as b, app.month_bounds(app.month_start(${month})) as m
    where b.add_time >= m.begins_at and b.add_time < m.ends_at group by b.uid order by count(*) desc, b.uid limit 1`;
  return Number(row!.uid);
}

/** Works on the store, and leaves it as it was. */
const withStore = (work: (transaction: postgres.TransactionSql, seals: typeof store) => Promise<void>) =>
  rolledBack(sql, (transaction) => work(transaction, store));

describe("a seal", () => {
  // Guarantee money/seal-changes
  it("has the root that another program builds by RFC 6962 from the exported rows", async () => {
    await withStore(async (transaction, { seals, fullest }) => {
      // Enough for a tree of unequal halves.
      expect(fullest.rows).toBeGreaterThan(2);
      expect(seals.some(({ rows }) => rows === 0)).toBe(true);
      for (const { month, rows, root } of seals) {
        const exported = await exportedRows(transaction, month);
        expect([exported.length, expectedRoot(exported, sealer.secret, month)], month).toEqual([rows, root]);
      }
    });
  });

  it("is accepted with its list, and with the proof of each member of its month", async () => {
    await withStore(async (transaction, { seals, fullest }) => {
      expect(await findingsOfList(seals, [sealer.key.publicKey])).toEqual([]);
      const list = listOf(seals);
      expect(readList(list).map(lineOf)).toEqual(seals.map(lineOf));
      const members = new Set((await exportedRows(transaction, fullest.month)).map(({ uid }) => Number(uid)));
      let proved = 0;
      for (const uid of members) {
        const proof = await proofOf(transaction, uid, fullest.month, sealer);
        expect(await objectionsOf(list, sealer.key.publicKey, JSON.stringify(proof))).toEqual([]);
        proved += proof.rows.length;
      }
      expect(proved).toBe(fullest.rows);
    });
  });

  // Guarantee money/seal-changes: A change of a sealed month, of the published list or of a proof is named
  // By: a signed hash tree over the rows, app.tree_of_month
  it("names each edit of its month", async () => {
    await withStore(async (transaction, { fullest }) => {
      await openMonths(transaction);
      const rows = (await exportedRows(transaction, fullest.month)).map(({ id, add_time }) => ({
        id: id!,
        time: add_time!,
      }));
      const missed: string[] = [];
      for (let index = 0; index < testSize.sealEdits; index += 1) {
        await rolledBack(transaction, async (savepoint) => {
          const what = await editRow(savepoint, rows, index);
          const found = await rootOf(savepoint, fullest.month, sealer.secret);
          if (findingsOfMonth(found, fullest).length !== 1) missed.push(what);
        });
      }
      expect(missed).toEqual([]);
      expect(findingsOfMonth(await rootOf(transaction, fullest.month, sealer.secret), fullest)).toEqual([]);
    });
  });

  // Guarantee money/seal-changes
  it("names each edit of a list and of a proof", async () => {
    await withStore(async (transaction, { seals, fullest }) => {
      const key = sealer.key.publicKey;
      const proof = await proofOf(transaction, await busiest(transaction, fullest.month), fullest.month, sealer);
      expect(proof.rows.length).toBeGreaterThan(3);
      const missed: string[] = [];
      for (let index = 0; index < testSize.sealEdits; index += 1) {
        const [what, list] = editList(seals, index);
        const findings = [...(await findingsOfList(list, [key])), ...differencesOf(list, seals, lineOf)];
        if (findings.length === 0) missed.push(`${what} of the list`);
        if ((await objectionsOf(listOf(list), key)).length === 0 && what !== CUT_TAIL)
          missed.push(`${what} of the list, on the page`);
        const [done, edited] = editProof(proof, index);
        if ((await objectionsOf(listOf(seals), key, JSON.stringify(edited))).length === 0)
          missed.push(`${done} of the proof`);
      }
      expect(missed).toEqual([]);
    });
  });
});

describe("a verifier says a sentence", () => {
  it("about another store's proof, another key and another secret", async () => {
    await withStore(async (transaction, { seals, fullest }) => {
      const uid = await busiest(transaction, fullest.month);
      const proof = await proofOf(transaction, uid, fullest.month, sealer);
      const other = await newSealer();
      // The same rows, in a store with another secret and another key.
      await transaction.unsafe("set local session_replication_role = replica; delete from app.month_seals");
      for (const { month } of seals) await sealMonth(transaction, month, other);
      const others = await storedSeals(transaction);
      const key = other.key.publicKey;
      expect(await objectionsOf(listOf(others), key, JSON.stringify(proof))).toEqual([
        `The proof belongs to another seal of ${fullest.month} than that of the list.`,
      ]);
      expect(
        await objectionsOf(
          listOf(others),
          key,
          JSON.stringify({ ...proof, seal: others.find(({ month }) => month === fullest.month) }),
        ),
      ).toEqual(proof.rows.map(({ text }) => `Row ${text.split("|")[2]}: it is not in the seal.`));
      const trusted = sealer.key.publicKey;
      expect(await findingsOfList(others, [trusted])).toEqual([
        `${others[0]!.month}: it is signed with the key ${key}, which you do not trust.`,
      ]);
      expect(await objectionsOf(listOf(others), trusted)).toEqual([
        `${others[0]!.month}: it is signed with another key than you trust.`,
      ]);
      expect(
        findingsOfMonth(
          await rootOf(transaction, fullest.month, sealer.secret),
          others.find(({ month }) => month === fullest.month)!,
        ),
      ).toEqual([
        `${fullest.month}: its ${fullest.rows} rows do not give the root of the seal. A row was changed, or STORE_SEAL_SECRET is another one.`,
      ]);
      await expect(
        transaction.savepoint((savepoint) => proofOf(savepoint, uid, fullest.month, sealer)),
      ).rejects.toThrow("seal_differs");
    });
  });

  it("about a month without rows, and one that is open", async () => {
    await withStore(async (transaction, { seals, fullest }) => {
      const empty = seals.find(({ rows }) => rows === 0)!;
      const proof = await proofOf(transaction, await busiest(transaction, fullest.month), empty.month, sealer);
      expect(
        (await verdictOf(listOf(seals), sealer.key.publicKey, JSON.stringify(proof))).map(({ en }) => en),
      ).toContain(`The proof has no rows of member ${proof.uid} in ${empty.month}, so it proves nothing.`);
      const [open] = await transaction<{ month: string }[]>`select to_char(app.month_of(now()), 'YYYY-MM') as month`;
      await expect(
        transaction.savepoint((savepoint) => rootOf(savepoint, open!.month, sealer.secret)),
      ).rejects.toMatchObject({
        detail: `The month ${open!.month} is not closed. Only closed months are sealed.`,
      });
      await expect(
        transaction.savepoint((savepoint) => proofOf(savepoint, proof.uid, open!.month, sealer)),
      ).rejects.toThrow("month_not_sealed");
    });
  });

  it.each([
    ["", "", "The list has no seal."],
    ["one\n", "", "Line 1 of the list is not a seal."],
    ["{}\n", "", "Line 1 of the list is not a seal."],
  ])("about a list %j", async (list, proof, sentence) => {
    expect(await objectionsOf(list, "", proof)).toEqual([sentence]);
  });
});

describe("a new key", () => {
  it("is taken if the key before vouches for it, or the reader trusts it", async () => {
    await withStore(async (transaction, { seals }) => {
      const [first, last] = [seals[0]!, seals.at(-1)!];
      const settings = { STORE_SEAL_SECRET: Buffer.from(sealer.secret).toString("hex") };
      await transaction.unsafe("set local session_replication_role = replica");
      await transaction`delete from app.month_seals where month = app.month_start(${last.month})`;
      const lost = await newSealer(settings);
      await expect(transaction.savepoint((savepoint) => sealMonth(savepoint, last.month, lost))).rejects.toMatchObject({
        detail: `The month before was sealed with the key ${first.key}, which must vouch for a new key unless it is lost.`,
      });
      const vouched = { ...lost, formerKey: sealer.key };
      await transaction.savepoint((savepoint) => sealMonth(savepoint, last.month, vouched));
      const rotated = await storedSeals(transaction);
      expect(await findingsOfList(rotated, [first.key])).toEqual([]);
      expect(await objectionsOf(listOf(rotated), first.key)).toEqual([]);
      const unvouched = rotated.with(-1, { ...rotated.at(-1)!, former_signature: null });
      expect(await findingsOfList(unvouched, [first.key])).toEqual([
        `${last.month}: it is signed with the key ${lost.key.publicKey}, for which the key before does not vouch.`,
      ]);
      expect(await objectionsOf(listOf(unvouched), first.key)).toEqual([
        `${last.month}: the key before does not vouch for its key ${lost.key.publicKey}.`,
      ]);
      expect(await findingsOfList(unvouched, [first.key, lost.key.publicKey])).toEqual([]);
      expect(await objectionsOf(listOf(unvouched), `${first.key} ${lost.key.publicKey}`)).toEqual([]);
    });
  });
});
