import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

const ask = (uid: number, kind: string) => (sql: postgres.Sql) =>
  sql`select (app.ask_person_request(${uid}, ${kind}, 'app', 'Lin', null, now())).id`;
const answer = (id: number, state: string, text: string) => (sql: postgres.Sql) =>
  sql`select from app.answer_person_request(${id}, ${state}, ${text}, gen_random_uuid(), null)`;
const idOf = async (uid: number, kind: string) => Number((await ask(uid, kind)(store.sql))[0]!.id);
const rejections = (results: PromiseSettledResult<unknown>[]) =>
  results
    .filter((result): result is PromiseRejectedResult => result.status === "rejected")
    .map(({ reason }) => reason.message);

describe("a request of a person", () => {
  // Guarantee privacy/register-answers
  it("is answered by one of two administrators who answer at once, and the member is told once", async () => {
    const uid = await store.signUp();
    const id = await idOf(uid, "copy");
    const results = await store.together([answer(id, "done", "Sent"), answer(id, "refused", "No")]);
    expect(rejections(results)).toEqual(["person_request_state_conflict"]);
    expect(await store.sql`select from app.events where uid = ${uid} and type like 'person.%'`).toHaveLength(1);
  });

  it("is one, if the member asks twice at once", async () => {
    const uid = await store.signUp();
    const results = await store.together([ask(uid, "copy"), ask(uid, "copy"), ask(uid, "copy")]);
    expect(rejections(results)).toEqual(["person_request_open", "person_request_open"]);
  });

  it("is done by the copy of the member or by an administrator, and then the copy has a row of its own", async () => {
    const uid = await store.signUp();
    const id = await idOf(uid, "copy");
    const copy = (sql: postgres.Sql) => sql`select app.enter_own_copy(${uid}, clock_timestamp())`;
    const results = await store.together([answer(id, "done", "Sent"), copy, copy]);
    const rows =
      await store.sql`select state, closed_by is null as is_alone from app.person_requests where uid = ${uid} order by id`;
    expect(rows.every(({ state }) => state === "done")).toBe(true);
    // Two copies have two rows, and an answer one more.
    expect(rows.filter(({ is_alone }) => is_alone)).toHaveLength(2);
    expect(rows.length).toBe(rejections(results).length === 0 ? 3 : 2);
  });

  // Guarantee privacy/register-answers
  it("for the deletion is not refused while the member asks for it in the app, and is done with the account", async () => {
    const uid = await store.signUp();
    const id = await idOf(uid, "deletion");
    const member = store.connection();
    await member`begin`;
    await member`select app.request_deletion(${uid}, 0, 0, 0, null)`;
    const refused = Promise.allSettled([answer(id, "refused", "A dispute")(store.sql)]);
    await store.untilWaiting(1);
    await member`commit`;
    await member.end();
    expect(rejections(await refused)).toEqual(["person_request_state_conflict"]);
    await store.sql`delete from auth.users as a using app.users as u where a.id = u.auth_id and u.uid = ${uid}`;
    expect(await store.sql`select state, note from app.person_requests where uid = ${uid}`).toEqual([
      { state: "done", note: "" },
    ]);
    expect(await store.deadlocks()).toBe(0);
  });
});
