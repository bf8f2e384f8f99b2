import { beforeAll, describe, expect, it, vi } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buy, buyAndSettle } from "./scenario.ts";

let admin: Account;
let me: Account;
let child: Account;
let grandchild: Account;
let neighbour: Account;
let strangers: Account[];
const orders: number[] = [];

const read = async (account: Account, path: string) => (await as(account).get(`/api/spread/${path}`)).body;

/** Sums the team totals and waits until they contain what has happened so far. */
async function sumTeams(): Promise<void> {
  const sql = connect(stack().database_url);
  try {
    const [{ now } = {}] = await sql`select clock_timestamp() as now`;
    await vi.waitFor(async () => {
      await sql`call app.sum_team_totals()`;
      expect(await sql`select from app.team_totals_as_of where as_of > ${now}`).toHaveLength(1);
    });
  } finally {
    await sql.end();
  }
}

beforeAll(async () => {
  [admin, me, neighbour] = await Promise.all([
    signUpAdmin("Team desk"),
    signUp("Head of the team"),
    signUp("Neighbouring head"),
  ]);
  child = await signUp("Direct member", me.uid);
  grandchild = await signUp("Member below", child.uid);
  strangers = [await signUp("Stranger one", neighbour.uid), await signUp("Stranger two", neighbour.uid)];
  const queueGoods = await addProduct("Team package", "3600.00", true);
  for (const buyer of [me, child, grandchild, ...strangers])
    orders.push((await buyAndSettle(buyer, admin, queueGoods)).order_id);
  await buy(child, admin, await addProduct("Tea for the team", "99.90", false));
  await sumTeams();
});

describe("GET /api/spread/summary", () => {
  it("returns team, commission and what is missing for the next level", async () => {
    expect(await read(me, "summary")).toEqual({
      direct: { members: 1, orders: 1 },
      umbrella: { members: 2, orders: 2 },
      commission: { today: "720.00", month: "720.00", total: "720.00" },
      next_level: {
        agent_level: 1,
        agent_level_name: "Maker",
        in_review: false,
        tasks: [{ type: "direct_orders", target: 3, current: 1, missing: 2, met: false }],
      },
      as_of: expect.any(String),
    });
  });

  it("is zero for a member with nobody below", async () => {
    expect(await read(grandchild, "summary")).toMatchObject({
      direct: { members: 0, orders: 0 },
      umbrella: { members: 0, orders: 0 },
      commission: { total: "0.00" },
    });
  });

  it("includes new members within a minute, and says as of when", async () => {
    const before = await read(neighbour, "summary");
    await signUp("Stranger three", neighbour.uid);
    await sumTeams();
    const after = await read(neighbour, "summary");
    expect(after.direct.members).toBe(before.direct.members + 1);
    expect(Date.parse(after.as_of)).toBeGreaterThan(Date.parse(before.as_of));
  });
});

describe("GET /api/spread/people", () => {
  it("returns direct members, without anything private", async () => {
    const { list, next_cursor, as_of } = await read(me, "people");
    expect(list).toEqual([
      {
        uid: child.uid,
        nickname: "Direct member",
        avatar: null,
        agent_level: 0,
        agent_level_name: "Member",
        joined: expect.any(String),
        orders: 1,
        members: 1,
      },
    ]);
    expect(next_cursor).toBeNull();
    expect(as_of).toEqual(expect.any(String));
  });

  it("returns everyone below with depth umbrella, page by page", async () => {
    const first = await read(me, "people?depth=umbrella&limit=1");
    expect(first.list).toMatchObject([{ uid: grandchild.uid, nickname: "Member below" }]);
    const second = await read(me, `people?depth=umbrella&limit=1&cursor=${first.next_cursor}`);
    expect(second.list).toMatchObject([{ uid: child.uid }]);
  });

  it.each([
    ["a part of the nickname", () => "keyword=ember%20BEL", () => [grandchild.uid]],
    ["a uid", () => `keyword=${grandchild.uid}`, () => [grandchild.uid]],
    ["a nickname that nobody has", () => "keyword=nobody", () => []],
  ])("finds members by %s", async (_what, query, found) => {
    expect((await read(me, `people?depth=umbrella&${query()}`)).list.map(({ uid }: Account) => uid)).toEqual(found());
  });

  it.each([
    ["an unknown depth", "depth=all"],
    ["an unknown column", "sort=phone"],
    ["a column that the umbrella is not sorted by", "depth=umbrella&sort=orders"],
    ["a cursor that no list returned", "cursor=nonsense"],
    ["a cursor with a value of another type", "sort=orders&cursor=1__zz"],
  ])("rejects %s", async (_what, query) => {
    expectProblem(await as(me).get(`/api/spread/people?${query}`), "invalid_argument");
  });
});

describe("GET /api/spread/order", () => {
  it("returns orders that paid the member or count for the member, with what they paid", async () => {
    const { list, next_cursor } = await read(me, "order");
    expect(list).toEqual([
      expect.objectContaining({
        order_id: orders[2],
        uid: grandchild.uid,
        is_direct: false,
        base: "3600.00",
        commission: "0.00",
        counts: true,
      }),
      expect.objectContaining({
        order_id: orders[1],
        uid: child.uid,
        is_direct: true,
        units: 1,
        commission: "720.00",
        points: 720,
        counts: true,
      }),
    ]);
    expect(next_cursor).toBeNull();
  });

  it("pages by cursor", async () => {
    const { next_cursor } = await read(me, "order?limit=1");
    expect((await read(me, `order?limit=1&cursor=${next_cursor}`)).list).toMatchObject([{ order_id: orders[1] }]);
  });
});

describe("the team of another member", () => {
  const uids = (body: { list: Account[] }) => body.list.map(({ uid }) => uid);

  it.each(["summary", "people", "order"])(
    "is not reached by any parameter that names a member: GET /api/spread/%s",
    async (what) => {
      for (const name of ["uid", "spread_uid", "referrer", "member", "id"]) {
        expectProblem(await as(me).get(`/api/spread/${what}?${name}=${neighbour.uid}`), "invalid_argument");
      }
    },
  );

  it.each(["-joined", "joined", "-nickname", "nickname", "-agent_level", "-orders", "orders", "-members"])(
    "is not reached by the cursors of its own lists, sorted by %s",
    async (sort) => {
      const { next_cursor } = await read(neighbour, `people?sort=${sort}&limit=1`);
      expect(next_cursor).toEqual(expect.any(String));
      expect([child.uid]).toEqual(
        expect.arrayContaining(uids(await read(me, `people?sort=${sort}&cursor=${next_cursor}`))),
      );
    },
  );

  it("is not reached by the cursor of its umbrella or of its orders", async () => {
    const people = await read(neighbour, "people?depth=umbrella&limit=1");
    expect([child.uid, grandchild.uid]).toEqual(
      expect.arrayContaining(uids(await read(me, `people?depth=umbrella&cursor=${people.next_cursor}`))),
    );
    const sold = await read(neighbour, "order?limit=1");
    expect([child.uid, grandchild.uid]).toEqual(
      expect.arrayContaining(uids(await read(me, `order?cursor=${sold.next_cursor}`))),
    );
  });

  it("is not found by nickname or uid", async () => {
    for (const depth of ["direct", "umbrella"]) {
      for (const keyword of ["Stranger", String(strangers[0]!.uid), String(neighbour.uid), String(me.uid)]) {
        expect((await read(me, `people?depth=${depth}&keyword=${keyword}`)).list).toEqual([]);
      }
    }
  });

  it("is not visible to the members of it", async () => {
    expect(uids(await read(child, "people?depth=umbrella"))).toEqual([grandchild.uid]);
    expect(uids(await read(child, "order"))).toEqual([grandchild.uid]);
    expect((await read(grandchild, "order")).list).toEqual([]);
  });
});

// supabase/tests/network tests the figures themselves.
describe("the shape of the network", () => {
  const ask = async (path: string) => (await as(admin).get(`/adminapi/${path}`)).body;

  it("has the members below a member and what their orders brought, by depth", async () => {
    const none = { commission: "0.00", commission_points: 0, direct_points: 0, umbrella_points: 0 };
    expect(await ask(`user/${me.uid}/network`)).toEqual({
      people: 2,
      depth: 2,
      own_sales: { commission: 1, points: 1 },
      depths: [
        { ...none, depth: 1, people: 1, commission: "720.00", commission_points: 720 },
        { ...none, depth: 2, people: 1 },
      ],
      as_of: expect.any(String),
    });
    expectProblem(await as(admin).get("/adminapi/user/1/network"), "user_not_found");
  });

  it("opens a branch of the tree", async () => {
    const { root, list, count } = await ask(`user/${me.uid}/branch`);
    expect([root.people, count]).toEqual([2, 1]);
    expect(list).toMatchObject([
      { uid: child.uid, nickname: "Direct member", people: 1, direct_members: 1, own_orders: 1 },
    ]);
    expect((await ask(`user/${me.uid}/branch?page=2`)).list).toEqual([]);
    expectProblem(await as(admin).get("/adminapi/user/1/branch"), "user_not_found");
  });

  it("counts and lists the members who reach thresholds, which are those of the settings unless others are asked for", async () => {
    expect(await ask("network")).toMatchObject({ people: 30, from_depth: 3 });
    const { above, depth, eligibility, plan } = await ask("network?people=2&depth=2");
    const { list, count } = await ask("network/member?people=2&depth=2&limit=100");
    expect(count).toBe(above);
    expect(depth).toBeGreaterThanOrEqual(2);
    expect(list).toContainEqual({
      uid: me.uid,
      nickname: "Head of the team",
      agent_level: 0,
      agent_level_name: "Member",
      people: 2,
      direct_members: 1,
      depth: 2,
      total_brokerage: "720.00",
      left_at: null,
    });
    expect(list.map(({ uid }: Account) => uid)).not.toContain(child.uid);
    // The direct member has earned, too, but has also bought tea.
    expect(eligibility.with_one_order).toBeGreaterThanOrEqual(1);
    expect(eligibility.earners).toBeGreaterThan(eligibility.with_one_order);
    expect(plan.is_deeper).toBe(
      plan.commission === null || plan.points === null || Math.max(plan.commission, plan.points) > 3,
    );
  });

  it("has what was paid at each depth in the last days, and how deep at most", async () => {
    const { deepest, days, depths } = await ask("network/paid");
    expect(deepest.commission.depth).toBeGreaterThanOrEqual(1);
    expect(days).toBe(90);
    expect(Number(depths[0].commission)).toBeGreaterThanOrEqual(1440);
  });

  it.each([
    "network?people=0",
    "network?depth=1001",
    "network?people=many",
    "network/member?sort=uid",
    "network/member?depth=-1",
  ])("rejects %s", async (path) => {
    expectProblem(await as(admin).get(`/adminapi/${path}`), "invalid_argument");
  });

  it("is not shown to members", async () => {
    for (const path of ["network", "network/paid", "network/member", `user/${me.uid}/network`, `user/${me.uid}/branch`])
      expectProblem(await as(me).get(`/adminapi/${path}`), "forbidden");
  });
});
