import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, accountIdOf, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

const DAY = 86_400_000;

let service: Account;
let owner: Account;
beforeAll(async () => {
  [service, owner] = await Promise.all([signUpAdmin("Service"), signUpAdmin("Owner")]);
  const sql = connect(stack().database_url);
  await sql`update app.administrators set roles = '{service}' where auth_id = ${accountIdOf(service)}`;
  await sql.end();
});

const ask = (member: Account, json: object) => as(member).post("/api/user/request", json);
const mine = async (member: Account) => (await as(member).get("/api/user/request")).body;
const answer = (by: Account, id: number, json: object) => as(by).put(`/adminapi/person_request/${id}`, json);

describe("a request of a member", () => {
  it("is asked for in the app, has a day until which it is answered, and is theirs alone", async () => {
    const [member, other] = await Promise.all([signUp("Asks for a correction"), signUp("Asks for nothing")]);
    const { status, body, text } = await ask(member, { kind: "correction", note: "Lin, not Lim" });
    expect([status, body.state, body.channel], text).toEqual([201, "open", "app"]);
    expect(Date.parse(body.due_at) - Date.parse(body.received_at)).toBe(15 * DAY);
    expect(await mine(member)).toEqual({ list: [body], count: 1 });
    expect(await mine(other)).toEqual({ list: [], count: 0 });
    expectProblem(await ask(member, { kind: "correction", note: "Again" }), "person_request_open");
    expectProblem(await as(other).get("/adminapi/person_request"), "forbidden");
    expectProblem(await answer(member, body.id, { state: "done", answer: "By myself" }), "forbidden");
    expectProblem(await call("POST", "/api/user/request", { json: { kind: "copy" } }), "unauthenticated");
  });

  it.each([
    ["no kind", { note: "Something" }],
    ["an unknown kind", { kind: "restriction" }],
    ["a kind of another type", { kind: 1 }],
    ["a correction without words", { kind: "correction" }],
    ["a note of another type", { kind: "copy", note: 7 }],
    ["a note that is too long", { kind: "copy", note: "x".repeat(501) }],
    ["a time of its own", { kind: "copy", received_at: "2026-01-01T00:00:00Z" }],
  ])("is refused with %s", async (_what, json) => {
    expectProblem(await ask(service, json), "invalid_argument");
  });

  it("is sent again with the same key without a second effect", async () => {
    const member = await signUp("Taps twice");
    const send = () =>
      call("POST", "/api/user/request", {
        token: member.token,
        json: { kind: "copy" },
        init: { headers: { "idempotency-key": key } },
      });
    const key = randomUUID();
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body]).toEqual([201, first.body]);
    expect((await mine(member)).count).toBe(1);
  });
});

describe("the register", () => {
  // Guarantee privacy/register
  it("has the copies and the deletion that a member does alone, and what was recorded for them", async () => {
    const member = await signUp("Does it alone");
    const recorded = await as(service).post("/adminapi/person_request", {
      uid: member.uid,
      kind: "copy",
      note: "By letter",
    });
    expect([recorded.status, recorded.body.recorded_by.auth_id], recorded.text).toEqual([201, accountIdOf(service)]);
    expect((await as(member).post("/api/user/export")).status).toBe(200);
    const { forfeit } = (await as(member).get("/api/user/deletion")).body;
    expect((await as(member).post("/api/user/deletion", { forfeit })).status).toBe(200);
    const rows = (await as(owner).get(`/adminapi/person_request?uid=${member.uid}`)).body.list;
    expect(rows).toMatchObject([
      { kind: "deletion", channel: "app", state: "open", recorded_by: null, is_overdue: false },
      { kind: "copy", channel: "administrator", state: "done", closed_by: null, nickname: "Does it alone" },
    ]);
    expectProblem(await answer(owner, rows[0].id, { state: "refused", answer: "No" }), "person_request_state_conflict");
    expect((await call("DELETE", "/api/user/deletion", { token: member.token })).status).toBe(200);
    expect((await mine(member)).list).toMatchObject([
      { kind: "deletion", state: "lapsed" },
      { kind: "copy", state: "done" },
    ]);
  });

  // Guarantee privacy/export-recorded: Whoever reads all data of a member is on record
  // By: api.export_member
  it("records each reading of a member's data by an administrator in the action log", async () => {
    const member = await signUp("Is read");
    const path = `/adminapi/user/${member.uid}/export`;
    expectProblem(await call("GET", path, { token: owner.token }), "method_not_allowed");
    expectProblem(await as(service).post(path), "forbidden");
    expect((await as(owner).post(path)).status).toBe(200);
    const { list } = (await as(owner).get(`/adminapi/action?target_type=member&target_id=${member.uid}`)).body;
    expect(list).toMatchObject([
      { function: "export_member", to: { is_complete: true }, actor: { auth_id: accountIdOf(owner) } },
    ]);
    // A reading answers nothing: what was handed over is noted by a person.
    expect((await mine(member)).count).toBe(0);
  });

  it("is filtered by kind, state and what waits, and paged", async () => {
    const member = await signUp("Asks for all");
    for (const kind of ["copy", "deletion"]) expect((await ask(member, { kind })).status).toBe(201);
    expect((await ask(member, { kind: "correction", note: "Lin" })).status).toBe(201);
    const list = async (query: string) =>
      (await as(owner).get(`/adminapi/person_request?uid=${member.uid}&${query}`)).body;
    expect(await list("kind=copy")).toMatchObject({ count: 1, list: [{ kind: "copy" }] });
    expect((await list("state=open")).count).toBe(3);
    expect((await list("state=done")).count).toBe(0);
    expect((await list("waiting=person_request")).count).toBe(3);
    expect((await list("waiting=overdue_person_request")).count).toBe(0);
    expect(await list("limit=1&page=2")).toMatchObject({ count: 3, list: [{ kind: "deletion" }] });
    for (const query of ["kind=all", "state=overdue", "waiting=refund", "page=0", "uid=x"])
      expectProblem(await as(owner).get(`/adminapi/person_request?${query}`), "invalid_argument");
  });
});

describe("an administrator", () => {
  it.each([
    ["nobody", { kind: "copy" }, "invalid_argument"],
    ["somebody who does not exist", { uid: 900_000_000_000_001, kind: "copy" }, "user_not_found"],
    ["a uid of another type", { uid: "7", kind: "copy" }, "invalid_argument"],
    ["a day of another form", { uid: 1, kind: "copy", received_on: "1 May" }, "invalid_argument"],
    ["a day that comes", { uid: "member", kind: "copy", received_on: "2999-01-01" }, "invalid_argument"],
  ] as const)("records no request of %s", async (_what, json, code) => {
    const uid = "uid" in json && json.uid === "member" ? (await signUp("Somebody")).uid : undefined;
    expectProblem(await as(service).post("/adminapi/person_request", { ...json, ...(uid && { uid }) }), code);
  });

  it("notes, does or refuses what was asked, once, and the member reads it and is told", async () => {
    const member = await signUp("Waits for an answer");
    const { id } = (await ask(member, { kind: "correction", note: "Lin" })).body;
    for (const json of [
      { state: "done" },
      { answer: "Yes" },
      { state: "lapsed", answer: "Yes" },
      { state: "done", answer: " " },
      { state: 1, answer: "Yes" },
    ])
      expectProblem(await answer(service, id, json), "invalid_argument");
    expectProblem(
      await answer(service, 900_000_000_000_001, { state: "done", answer: "Yes" }),
      "person_request_not_found",
    );
    expect((await answer(service, id, { state: "open", answer: "We look into it" })).status).toBe(200);
    expect((await mine(member)).list).toMatchObject([{ state: "open", answer: "We look into it" }]);
    const done = await answer(service, id, { state: "done", answer: "Corrected" });
    expect([done.status, done.body.closed_by.auth_id], done.text).toEqual([200, accountIdOf(service)]);
    expect((await answer(owner, id, { state: "done", answer: "Corrected" })).body).toEqual(done.body);
    expectProblem(await answer(owner, id, { state: "refused", answer: "No" }), "person_request_state_conflict");
    expect((await mine(member)).list).toMatchObject([{ state: "done", answer: "Corrected" }]);
    expect((await as(member).get("/api/notice")).body.list).toMatchObject([
      { type: "person.request_done", subject_id: member.uid, payload: { request_id: id, kind: "correction" } },
    ]);
    // Of an answered kind, the member can ask anew.
    expect((await ask(member, { kind: "correction", note: "Once more" })).status).toBe(201);
  });

  it("neither records nor answers requests of their own member", async () => {
    expectProblem(await as(owner).post("/adminapi/person_request", { uid: owner.uid, kind: "copy" }), "own_account");
    const { body } = await ask(owner, { kind: "copy" });
    expectProblem(await answer(owner, body.id, { state: "done", answer: "For me" }), "own_account");
    expect((await answer(service, body.id, { state: "refused", answer: "Use the app" })).status).toBe(200);
  });
});
