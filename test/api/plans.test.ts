import { beforeAll, describe, expect, it } from "vitest";
import { lockSchedule } from "../support/index.ts";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;
let admin: Account;
let member: Account;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Planner"), signUp("Promoted")]);
});

describe("/adminapi/hjf/brokerage/config", () => {
  const path = "/adminapi/hjf/brokerage/config";

  it("lists the plan in force as the first version", async () => {
    const { versions, ...plan } = (await as(admin).get(path)).body;
    expect(plan).toMatchObject({
      people_per_cycle: 3,
      tier_ratios: [0.2, 0.3, 0.5],
      brokerage_scope: "direct",
      brokerage_timing: "on_pay",
    });
    expect(versions[0]).toEqual(plan);
  });

  it("adds a version with its author, and none without a change", async () => {
    const { version, max_depth } = (await as(admin).get(path)).body;
    const changed = (await as(admin).put(path, { max_depth: 9000 + (version % 100) })).body;
    expect(changed).toMatchObject({
      tier_ratios: [0.2, 0.3, 0.5],
      created_by: { uid: admin.uid, nickname: "Planner" },
    });
    expect(changed.versions.map((row: { version: number }) => row.version).slice(0, 2)).toEqual([
      changed.version,
      version,
    ]);
    // A rejected plan may use up a version number.
    expect(changed.version).toBeGreaterThan(version);
    expect((await as(admin).put(path, { max_depth: changed.max_depth })).body.version).toBe(changed.version);
    await as(admin).put(path, { max_depth });
  });

  it("rejects an invalid plan with the reason", async () => {
    expectProblem(await as(admin).put(path, { people_per_cycle: 4 }), "plan_invalid");
    expectProblem(await as(admin).put(path, { tier_ratios: [0.2, 0.3, 0.000001] }), "plan_invalid");
  });

  it.each([
    [{ people_per_cycle: 4 }, "people_per_cycle"],
    [{ tier_ratios: [0.2, 0.3] }, "tier_ratios"],
    [{ tier_ratios: [0.2, 0.3, 0.000001] }, "tier_ratios/2"],
    [{ tier_ratios: [0.2, 0.6, 0.5], payout_cap: 0.5 }, "tier_ratios/1"],
    [{ payout_cap: 0.4 }, "payout_cap"],
    [{ payout_cap: 0.499996 }, "payout_cap"],
    [{ points_per_brokerage: 100.5 }, "points_per_brokerage"],
    [{ minimum_base: "0.00" }, "minimum_base"],
    [{ max_depth: 3_000_000_000 }, "max_depth"],
  ])("names the field to blame for %j, saved, previewed or simulated", async (plan, field) => {
    const [from, to] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    for (const [reply, at] of [
      [await as(admin).put(path, plan), ""],
      [await as(admin).post(`${path}/preview`, { plan }), "/plan"],
      [await as(admin).post("/adminapi/hjf/simulate", { plan, from, to }), "/plan"],
    ] as const) {
      expectProblem(reply, "plan_invalid");
      expect(reply.body.errors).toEqual([{ in: "body", pointer: `${at}/${field}`, detail: reply.body.detail }]);
    }
  });

  it("rejects an unknown setting", async () => {
    for (const json of [{}, { tier_ratios: [2] }, { brokerage_timing: "later" }, { payout_cap: "1" }]) {
      expectProblem(await as(admin).put(path, json), "invalid_argument");
    }
  });
});

describe("POST /adminapi/hjf/brokerage/config/preview", () => {
  const path = "/adminapi/hjf/brokerage/config";
  const preview = (json?: object) => as(admin).post(`${path}/preview`, json);
  const shareOf = (commission: string, price: string) => Number(commission) / Number(price);

  it("returns the cost of the worst order under the plan in force", async () => {
    await addProduct("Package of the planner", "3600.00", true);
    const { status, body } = await preview();
    expect(status).toBe(200);
    // Other test files add other queue goods.
    expect(Number(body.price)).toBeGreaterThanOrEqual(3600);
    expect(body).toMatchObject({
      ratio: 0.5,
      payout_share: 0.5,
      cycle: [
        { place: 1, ratio: 0.2 },
        { place: 2, ratio: 0.3 },
        { place: 3, ratio: 0.5 },
      ],
    });
    expect(shareOf(body.commission, body.price)).toBe(0.5);
    expect(body.cycle_share).toBeCloseTo(1 / 3, 4);
    expect(body.cycle[2].commission).toBe(body.commission);
    expect(body.points).toBe(body.commission_points + body.level_points);
    expect((await preview({})).body).toEqual(body);
  });

  it("returns the cost of a draft and saves nothing", async () => {
    const before = [(await as(admin).get(path)).body, (await as(admin).get("/adminapi/agent/level")).body];
    const { list } = before[1];
    const levels = list.map(({ is_active: _, ...level }: Record<string, number>) => ({
      ...level,
      direct_points: level.direct_points! * 2,
    }));
    const { body } = await preview({
      plan: { people_per_cycle: 2, tier_ratios: [0.1, 0.4], points_per_brokerage: 2 },
      levels,
    });
    expect(body).toMatchObject({
      ratio: 0.4,
      payout_share: 0.4,
      cycle_share: 0.25,
      cycle: [
        { place: 1, ratio: 0.1 },
        { place: 2, ratio: 0.4 },
      ],
    });
    expect(body.commission_points).toBe(Number(body.commission) * 2);
    expect(body.level_points).toBeGreaterThan((await preview()).body.level_points);
    expect([(await as(admin).get(path)).body, (await as(admin).get("/adminapi/agent/level")).body]).toEqual(before);
  });

  it("rejects a draft for the same reason as saving it", async () => {
    const { list } = (await as(admin).get("/adminapi/agent/level")).body;
    for (const plan of [{ people_per_cycle: 4 }, { tier_ratios: [0.2, 0.3, 0.000001] }, { payout_cap: 0.1 }]) {
      const rejection = await preview({ plan });
      expectProblem(rejection, "plan_invalid");
      expect(rejection.body.detail).toBe((await as(admin).put(path, plan)).body.detail);
    }
    expectProblem(await preview({ levels: list.slice(1) }), "levels_invalid");
    for (const json of [{ plan: { surprise: 1 } }, { levels: [] }, { draft: {} }, { plan: null }])
      expectProblem(await preview(json), "invalid_argument");
  });
});

describe("/adminapi/agent/level", () => {
  const path = "/adminapi/agent/level";

  it("is replaced as a whole, and the author is recorded", async () => {
    const { list, version } = (await as(admin).get(path)).body;
    const renamed = list.map((level: { grade: number }) =>
      level.grade === 4 ? { ...level, name: `Branch ${version}` } : level,
    );
    const changed = (await as(admin).put(path, { levels: renamed })).body;
    expect(changed).toMatchObject({
      list: renamed,
      versions: [{ version: changed.version, created_by: { uid: admin.uid } }, { version }],
    });
    expect(changed.version).toBeGreaterThan(version);
    expect((await as(admin).put(path, { levels: list })).body.list).toEqual(list);
  });

  it("rejects levels that contradict each other", async () => {
    const { list } = (await as(admin).get(path)).body;
    expectProblem(await as(admin).put(path, { levels: list.slice(1) }), "levels_invalid");
    expectProblem(
      await as(admin).put(path, { levels: list.map((level: object) => ({ ...level, tasks: {} })) }),
      "levels_invalid",
    );
    expectProblem(await as(admin).put(path, { levels: [] }), "invalid_argument");
    expectProblem(await as(admin).put(path, { levels: [{ ...list[0], tasks: { sleep: 8 } }] }), "invalid_argument");
  });

  it("rejects a change that was based on another version than the one in force", async () => {
    const { list, version } = (await as(admin).get(path)).body;
    const renamed = list.map((level: { grade: number }) =>
      level.grade === 4 ? { ...level, name: `Branch of ${version}` } : level,
    );
    const changed = (await as(admin).put(path, { levels: renamed, version })).body;
    expect(changed.list).toEqual(renamed);
    expectProblem(await as(admin).put(path, { levels: list, version }), "changed_meanwhile");
    expect((await as(admin).get(path)).body.list).toEqual(renamed);
    expect((await as(admin).put(path, { levels: list, version: changed.version })).body.list).toEqual(list);
  });
});

describe("PUT /adminapi/hjf/member/{uid}/level", () => {
  const set = (uid: number, agent_level: unknown) =>
    as(admin).put(`/adminapi/hjf/member/${uid}/level`, { agent_level });

  it("raises and lowers a grade", async () => {
    for (const [grade, hold] of [
      [2, false],
      [0, true],
    ] as const) {
      expect((await set(member.uid, grade)).body).toEqual({ uid: member.uid, agent_level: grade, hold });
      expect((await as(member).get("/api/user")).body.agent_level).toBe(grade);
    }
  });

  it("rejects unknown members and grades", async () => {
    expectProblem(await set(NOBODY, 1), "user_not_found");
    expectProblem(await set(member.uid, 99), "level_unknown");
    expectProblem(await set(member.uid, "1"), "invalid_argument");
  });
});

describe("GET /adminapi/hjf/verify_agent_config", () => {
  it("reports on the settings of a new store", async () => {
    const schedule = await lockSchedule();
    try {
      const { ok, list, count } = (await as(admin).get("/adminapi/hjf/verify_agent_config")).body;
      expect(count).toBe(list.length);
      expect(list.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
      expect(ok).toBe(true);
    } finally {
      await schedule.unlock();
    }
  });
});
