import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Seal } from "../../functions/_shared/secrets/seals.ts";
import { Store } from "../concurrency/store.ts";
import { type Proof, verdictOf } from "../seals/store.ts";
import { run } from "./run.ts";

const newKey = () => randomBytes(32).toString("hex");
const [secret, firstKey, secondKey, thirdKey] = [newKey(), newKey(), newKey(), newKey()];

let store: Store;
let uid: number;
let folder: string;
let list: string;

const seals = () =>
  readFileSync(list, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Seal);
const seal = (args: string[] = [], environment: Record<string, string> = {}) =>
  run("seal", args, {
    DATABASE_URL: store.url,
    STORE_SEAL_SECRET: secret,
    STORE_SEAL_KEY: firstKey,
    STORE_SEAL_FORMER_KEY: "",
    ...environment,
  });
const verify = (args: string[], environment: Record<string, string> = {}) =>
  run("verify_seal", args, { DATABASE_URL: store.url, STORE_SEAL_SECRET: secret, ...environment });
const close = (month: string) => store.sql`select from app.close_month(${month}, null)`;

describe("the commands of seals", { concurrent: false }, () => {
  beforeAll(async () => {
    store = await Store.open();
    uid = await store.signUp();
    await store.sql`
      insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, add_time)
      values (${uid}, 'opening_balance', 'import', 5, 5, 0, 0, '2025-01-15')`;
    folder = mkdtempSync(join(tmpdir(), "seals-"));
    list = join(folder, "seals.jsonl");
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await store?.close();
  });

  it("say what is missing before there is a seal", async () => {
    expect(await seal()).toMatchObject({
      code: 0,
      output: expect.stringContaining("No closed month waits for its seal."),
    });
    expect(await seal(["--month", "2025-01"])).toMatchObject({
      code: 2,
      output: expect.stringContaining("The month 2025-01 is not closed."),
    });
    expect(await seal([], { STORE_SEAL_KEY: "" })).toMatchObject({
      code: 2,
      output: expect.stringContaining("There is no key to seal with."),
    });
    expect(await seal([], { STORE_SEAL_KEY: "short" })).toMatchObject({
      code: 2,
      output: expect.stringContaining("64 hexadecimal digits"),
    });
    expect(await verify([])).toMatchObject({ code: 1, output: expect.stringContaining("The list has no seal.") });
    expect(await verify(["--list", join(folder, "none")])).toMatchObject({
      code: 2,
      output: expect.stringContaining("cannot be read"),
    });
  });

  it("seal the closed months in sequence, and add their lines to the list", async () => {
    await close("2025-01");
    expect(await seal(["--list", list])).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Added to ${list}: 1.`),
    });
    await close("2025-02");
    const before = readFileSync(list, "utf8");
    expect(await seal(["--list", list])).toMatchObject({ code: 0 });
    expect(readFileSync(list, "utf8").startsWith(before)).toBe(true);
    expect(seals().map(({ month, rows, previous }) => [month, rows, previous])).toEqual([
      ["2025-01", 1, null],
      ["2025-02", 0, seals()[0]!.root],
    ]);
    expect(await seal(["--month", "2025-01"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("its rows still give the root"),
    });
    expect(await seal(["--month", "2025-01"], { STORE_SEAL_SECRET: newKey() })).toMatchObject({
      code: 2,
      output: expect.stringContaining("A sealed month cannot be sealed again."),
    });
  });

  it("verify list and rows, and name what differs", async () => {
    const key = seals()[0]!.key;
    expect(await verify(["--list", list, "--key", key])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/2025-01: 1 rows as sealed\.\n(.*\n)*2025-02: no rows, as sealed\./),
    });
    expect(await verify(["--month", "2025-03"])).toMatchObject({
      code: 2,
      output: expect.stringContaining("The month 2025-03 is not sealed."),
    });
    const shortened = join(folder, "shortened.jsonl");
    writeFileSync(shortened, readFileSync(list, "utf8").split("\n")[0]!);
    expect(await verify(["--list", shortened, "--key", key])).toMatchObject({
      code: 1,
      output: expect.stringContaining("2025-02: the store has its seal, the list has not."),
    });
    expect(await verify(["--list", list, "--key", key], { STORE_SEAL_SECRET: newKey() })).toMatchObject({
      code: 1,
      output: expect.stringContaining("2025-01: its 1 rows do not give the root of the seal."),
    });
    writeFileSync(shortened, readFileSync(list, "utf8").replace('"rows":1', '"rows":2'));
    expect(await seal(["--list", shortened])).toMatchObject({
      code: 2,
      output: expect.stringContaining("is not the seal of the store"),
    });
  });

  it("write a proof that the page accepts", async () => {
    const out = join(folder, "proof.json");
    expect(await seal(["--month", "2025-01", "--prove", String(uid), "--out", out])).toMatchObject({ code: 0 });
    const proof = readFileSync(out, "utf8");
    expect((JSON.parse(proof) as Proof).rows).toHaveLength(1);
    expect((await verdictOf(readFileSync(list, "utf8"), seals()[0]!.key, proof)).map(({ kind }) => kind)).toEqual([
      "good",
      "good",
      "note",
    ]);
    expect(await seal(["--prove", String(uid)])).toMatchObject({
      code: 2,
      output: expect.stringContaining("Name it with --month."),
    });
  });

  it("take a new key for which the former one vouches, or in place of one that is lost", async () => {
    await close("2025-03");
    expect(await seal([], { STORE_SEAL_KEY: secondKey })).toMatchObject({
      code: 2,
      output: expect.stringContaining("must vouch for a new key"),
    });
    expect(await seal(["--list", list], { STORE_SEAL_KEY: secondKey, STORE_SEAL_FORMER_KEY: firstKey })).toMatchObject({
      code: 0,
    });
    const [first, , third] = seals();
    expect(await verify(["--list", list, "--key", first!.key])).toMatchObject({ code: 0 });
    await close("2025-04");
    expect(await seal(["--former-key-is-lost", "--list", list], { STORE_SEAL_KEY: thirdKey })).toMatchObject({
      code: 0,
    });
    const last = seals().at(-1)!;
    expect(new Set([first!.key, third!.key, last.key]).size).toBe(3);
    expect(await verify(["--list", list, "--key", first!.key])).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        `2025-04: it is signed with the key ${last.key}, for which the key before does not vouch.`,
      ),
    });
    expect(await verify(["--list", list, "--key", first!.key, "--key", last.key])).toMatchObject({ code: 0 });
  });
});
