import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Earner, earner, holdNothing, messages, request } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
  await store.sql`select app.set_settings('{"real_name_from": 500, "real_name_check": "administrator"}', now())`;
});
afterAll(() => store.close());

const give = (sql: postgres.Sql, { uid }: Earner, person = "cd") => sql`
  select from app.give_real_name(
    ${uid}, 'id_card', '张**', '1****************X', ${"ab".repeat(60)}, ${"0".repeat(16)}, ${person.repeat(32)}, ${"1".repeat(16)}, null
  )`;
/** What the edge function sends. */
const args = JSON.stringify({
  p_document: "id_card",
  p_name_mask: "张**",
  p_number_mask: "1****************X",
  p_ciphertext: "ab".repeat(60),
  p_key_id: "0".repeat(16),
  p_person: "cd".repeat(32),
  p_index_key_id: "1".repeat(16),
});
const decide = (sql: postgres.Sql, { uid }: Earner, state: string) => sql`
  select app.decide_real_name(app.lock_real_name(r.id), ${state}, null, null, clock_timestamp()) from app.real_names as r where r.uid = ${uid}`;

describe("a real name", () => {
  // Guarantee privacy/real-names-required
  it("is given once at a time, and a withdrawal needs the one that is there", async () => {
    await store.sql`update app.settings set real_name_check = 'none'`;
    for (let round = 0; round < 6; round += 1) {
      const member = await earner(store);
      const results = await store.together<unknown>([
        (sql) => give(sql, member),
        (sql) => give(sql, member, "ef"),
        (sql) => request(sql, member, 600),
      ]);
      // The withdrawal came before both, or between them, and the other was refused; or it came last.
      expect(messages(results)).toSatisfy(
        (all: string[]) => all.length <= 1 && all.every((each) => /real_name_(required|fixed)/.test(each)),
      );
      const [row] = await store.sql`select count(*)::int as n from app.real_names where uid = ${member.uid}`;
      expect(row!.n).toBe(1);
    }
    await store.sql`update app.settings set real_name_check = 'administrator'`;
  });

  it("is refused before or after the withdrawal that needs it, and not in between", async () => {
    for (let round = 0; round < 6; round += 1) {
      const member = await earner(store);
      await give(store.sql, member);
      await decide(store.sql, member, "checked");
      const results = await store.together<unknown>([
        (sql) => request(sql, member, 600),
        (sql) => decide(sql, member, "refused"),
        (sql) => give(sql, member),
      ]);
      const [row] = await store.sql`
        select (select state from app.real_names where uid = ${member.uid}) as state, (select count(*)::int from app.withdrawals where uid = ${member.uid}) as open`;
      const refusals = messages(results);
      expect(refusals.filter((each) => !["real_name_required", "real_name_fixed"].includes(each))).toEqual([]);
      // Without the withdrawal, it was refused first.
      expect(refusals.includes("real_name_required")).toBe(row!.open === 0);
      expect(["refused", "given"]).toContain(row!.state);
    }
  });

  it("is gone with its member, whatever is given at the same time", async () => {
    for (let round = 0; round < 4; round += 1) {
      const member = await earner(store);
      const [account] = await store.sql`select auth_id from app.users where uid = ${member.uid}`;
      const claims = JSON.stringify({ role: "authenticated", sub: account!.auth_id });
      await store.together<unknown>([
        (sql) => sql`select app.as_caller(${claims}::text::jsonb, 'set_real_name', ${args}::text::jsonb, null, null)`,
        (sql) => sql`delete from auth.users where id = ${account!.auth_id}`,
      ]);
      const [row] = await store.sql`select count(*)::int as n from app.real_names where uid = ${member.uid}`;
      expect(row!.n).toBe(0);
    }
  });
});
