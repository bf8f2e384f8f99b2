import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RealName } from "../../functions/_shared/secrets/identity_document.ts";
import { argumentsOf, readRealNames, type RealNames } from "../../functions/_shared/secrets/real_names.ts";
import { Store } from "../concurrency/store.ts";
import { run } from "./run.ts";

const newKey = () => randomBytes(32).toString("hex");
const [key, indexKey, secondKey, secondIndexKey] = [newKey(), newKey(), newKey(), newKey()];
/** More than two batches. */
const COUNT = 230;

let store: Store;
const people = new Map<number, RealName>();

const open = (keys: Record<string, string>) => readRealNames(new Map(Object.entries(keys)))!;
const first = open({ STORE_REAL_NAME_KEY: key, STORE_REAL_NAME_INDEX_KEY: indexKey });
const second = open({ STORE_REAL_NAME_KEY: secondKey, STORE_REAL_NAME_INDEX_KEY: secondIndexKey });
const rotate = (environment: Record<string, string> = {}) =>
  run("rotate_real_names", [], {
    DATABASE_URL: store.url,
    STORE_REAL_NAME_KEY: secondKey,
    STORE_REAL_NAME_FORMER_KEY: key,
    STORE_REAL_NAME_INDEX_KEY: secondIndexKey,
    ...environment,
  });
const idOf = async (realNames: RealNames) => (await realNames.keys()).key_id;
const countOf = async (realNames: RealNames) =>
  (await store.sql`select count(*)::int as n from app.real_names where key_id = ${await idOf(realNames)}`)[0]!
    .n as number;

async function give(uid: number, person: RealName, realNames: RealNames): Promise<void> {
  const args = await argumentsOf(realNames, uid, person);
  await store.sql`
    select from app.give_real_name(
      ${uid}, ${args.p_document}, ${args.p_name_mask}, ${args.p_number_mask}, ${args.p_ciphertext}, ${args.p_key_id}, ${args.p_person}, ${args.p_index_key_id}, null
    )`;
  people.set(uid, person);
}

/** What the store has, decrypted. */
async function stored(realNames: RealNames): Promise<Map<number, RealName>> {
  const rows = await store.sql<{ uid: string; ciphertext: string; key_id: string }[]>`
    select uid, encode(ciphertext, 'hex') as ciphertext, key_id from app.real_names order by uid`;
  const read = rows.map(
    async (row) => [Number(row.uid), await realNames.decrypt({ ...row, uid: Number(row.uid) })] as const,
  );
  return new Map(await Promise.all(read));
}

describe("the rotation of the keys of real names", { concurrent: false }, () => {
  beforeAll(async () => {
    store = await Store.open();
    await store.sql`select app.set_settings('{"real_name_from": 1}', now())`;
    for (let count = 0; count < COUNT; count += 1) {
      // Two members in a row are one person.
      const number = `E${String(10_000_000 + Math.floor(count / 2))}`;
      await give(await store.signUp(), { document: "passport", name: `Member ${count}`, number }, first);
    }
  });
  afterAll(() => store?.close());

  it("says what is missing, and what to do", async () => {
    expect(await rotate({ STORE_REAL_NAME_KEY: "", STORE_REAL_NAME_INDEX_KEY: "" })).toMatchObject({
      code: 2,
      output: expect.stringMatching(/There is no key to encrypt with\.(.|\n)*openssl rand -hex 32/),
    });
    expect(await rotate({ STORE_REAL_NAME_INDEX_KEY: "" })).toMatchObject({
      code: 2,
      output: expect.stringContaining("Set both"),
    });
    expect(await rotate({ STORE_REAL_NAME_KEY: "short" })).toMatchObject({
      code: 2,
      output: expect.stringContaining("64 hexadecimal digits"),
    });
  });

  it("changes nothing with a wrong key, and names the one that is needed", async () => {
    const { code, output } = await rotate({ STORE_REAL_NAME_FORMER_KEY: newKey() });
    expect([code, output]).toEqual([2, expect.stringContaining(`Left with the key ${await idOf(first)}: ${COUNT}.`)]);
    expect(output).toContain(`Set STORE_REAL_NAME_FORMER_KEY to the key ${await idOf(first)}`);
    expect(await stored(first)).toEqual(people);
  });

  // Guarantee privacy/real-names
  it("encrypts every one anew, is continued after a cut, and leaves nothing that the former key opens", async () => {
    const holder = store.connection();
    const [{ former } = {}] =
      await store.sql`select encode(string_agg(ciphertext, '' order by id), 'hex') as former from app.real_names`;
    await holder.begin(async (transaction) => {
      // The second batch waits, and is cut.
      await transaction`select from app.real_names where id = (select id from app.real_names order by id offset 150 limit 1) for update`;
      const cut = rotate();
      await store.untilWaiting(1);
      await store.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect((await cut).code).not.toBe(0);
    });
    await holder.end();
    expect([await countOf(second), await countOf(first)]).toEqual([100, COUNT - 100]);
    const both = open({
      STORE_REAL_NAME_KEY: secondKey,
      STORE_REAL_NAME_INDEX_KEY: secondIndexKey,
      STORE_REAL_NAME_FORMER_KEY: key,
    });
    expect(await stored(both)).toEqual(people);

    // Meanwhile a member gives another one.
    const [uid] = [...people.keys()].slice(-1);
    await give(uid!, { document: "taiwan_permit", name: "Lin", number: "12345678" }, first);
    expect(await rotate()).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Encrypted anew: ${COUNT - 100}.`),
    });
    expect(await stored(second)).toEqual(people);
    await expect(stored(first)).rejects.toMatchObject({ code: "real_name_key_missing" });
    const [{ now } = {}] =
      await store.sql`select encode(string_agg(ciphertext, '' order by id), 'hex') as now from app.real_names`;
    expect(now).not.toContain((former as string).slice(0, 100));
    for (const plain of ["Member 7", "E10000003", "Lin", "12345678"])
      expect(now).not.toContain(Buffer.from(plain).toString("hex"));
    // One person is still found in two rows.
    const [groups] =
      await store.sql`select count(*)::int as n from (select from app.real_names group by person having count(*) = 2) as g`;
    expect(groups!.n).toBe(COUNT / 2 - 1);
    expect(await rotate()).toMatchObject({ code: 0, output: expect.stringContaining("Encrypted anew: 0.") });
  });

  it("replaces the index key alone, too", async () => {
    const third = newKey();
    const before = (await store.sql`select array_agg(person order by id) as all from app.real_names`)[0]!
      .all as Buffer[];
    expect(await rotate({ STORE_REAL_NAME_FORMER_KEY: "", STORE_REAL_NAME_INDEX_KEY: third })).toMatchObject({
      code: 0,
    });
    const after = (await store.sql`select array_agg(person order by id) as all from app.real_names`)[0]!
      .all as Buffer[];
    expect(after.filter((person, at) => person.equals(before[at]!))).toEqual([]);
    expect(await stored(second)).toEqual(people);
  });
});
