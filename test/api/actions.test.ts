import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { buyAndSettle } from "./scenario.ts";

let admin: Account;
let colleague: Account;
let member: Account;

const actions = async (query: string) => (await call("GET", `/adminapi/action?${query}`, { token: admin.token })).body;
const setLevel = (by: Account, uid: number, grade: number, id?: string) =>
  call("PUT", `/adminapi/hjf/member/${uid}/level`, {
    token: by.token,
    json: { agent_level: grade },
    ...(id && { init: { headers: { "x-request-id": id } } }),
  });

beforeAll(async () => {
  [admin, colleague, member] = await Promise.all([signUpAdmin("Auditor"), signUpAdmin("Colleague"), signUp("Watched")]);
});

describe("GET /adminapi/action", () => {
  it("returns actor, function, target, values before and after, and request id", async () => {
    const id = randomUUID();
    expect((await setLevel(colleague, member.uid, 1, id)).status).toBe(200);
    const { list, count } = await actions(`target_type=member&target_id=${member.uid}`);
    expect(count).toBe(1);
    expect(list[0]).toMatchObject({
      actor: { uid: colleague.uid, nickname: "Colleague" },
      function: "set_agent_level",
      target_type: "member",
      target_id: String(member.uid),
      from: { agent_level: 0 },
      to: { agent_level: 1 },
      request_id: id,
    });
  });

  it("filters by administrator, function and time, and pages", async () => {
    const target = await signUp("Up and down");
    for (const grade of [1, 2, 3]) await setLevel(admin, target.uid, grade);
    const [last] = (await actions(`target_type=member&target_id=${target.uid}&limit=1`)).list;
    const query = `target_id=${target.uid}&actor=${last.actor.auth_id}&function=set_agent_level`;
    const first = await actions(`${query}&limit=2`);
    expect(first.list.map((action: { to: object }) => action.to)).toEqual([{ agent_level: 3 }, { agent_level: 2 }]);
    const rest = await actions(`${query}&limit=2&cursor=${first.next_cursor}`);
    expect(rest.list.map((action: { to: object }) => action.to)).toEqual([{ agent_level: 1 }]);
    expect(rest.next_cursor).toBeNull();
    expect((await actions(`${query}&function=set_no_assess`.replace("&function=set_agent_level", ""))).count).toBe(0);
    expect((await actions(`${query}&to=2026-01-01T00:00:00Z`)).count).toBe(0);
    expect((await actions(`${query}&actor=${randomUUID()}`.replace(`&actor=${last.actor.auth_id}`, ""))).count).toBe(0);
  });

  it("has no row for a failed write, and one row for a write repeated with the same key", async () => {
    const target = await signUp("Sent twice");
    expectProblem(await setLevel(admin, target.uid, 99), "level_unknown");
    const send = () =>
      call("PUT", `/adminapi/hjf/member/${target.uid}/level`, {
        token: admin.token,
        json: { agent_level: 1 },
        init: { headers: { "idempotency-key": `twice-${target.uid}` } },
      });
    expect((await send()).body).toEqual((await send()).body);
    expect((await actions(`target_id=${target.uid}`)).count).toBe(1);
  });

  it("shows what administrators have earned from an order of their downline that they marked as paid, until it is refunded", async () => {
    const product = await addProduct("Package of the downline", "100.00", true);
    const buyer = await signUp("Below the administrator", admin.uid);
    await buyAndSettle(admin, colleague, product);
    const { order_id, cycle } = await buyAndSettle(buyer, admin, product);
    expect(cycle).toMatchObject({ earner_uid: admin.uid });
    const earned = async () =>
      (await actions(`target_type=order&target_id=${order_id}&function=pay_order_offline`)).list[0].actor_earned;
    expect(Number(cycle.commission)).toBeGreaterThan(0);
    expect(await earned()).toEqual({ commission: cycle.commission, points: cycle.commission_points });
    await call("PUT", `/adminapi/order/${order_id}/refund`, { token: colleague.token, json: {} });
    expect(await earned()).toEqual({ commission: "0.00", points: 0 });
    // The other administrator, who acted on the same order, earns nothing from it.
    expect(
      (await actions(`target_type=order&target_id=${order_id}&function=refund_order`)).list[0].actor_earned,
    ).toBeNull();
    expect(
      (await actions("target_type=member")).list.every(
        ({ actor_earned }: { actor_earned: unknown }) => actor_earned === null,
      ),
    ).toBe(true);
  });

  it("is forbidden to members", async () => {
    expectProblem(await call("GET", "/adminapi/action", { token: member.token }), "forbidden");
    expectProblem(await call("GET", "/adminapi/action"), "unauthenticated");
  });
});

describe("an administrator", () => {
  it("cannot set their own level", async () => {
    expectProblem(await setLevel(admin, admin.uid, 4), "own_account");
  });
});
