import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { withDatabase } from "../../scripts/command_line/database.ts";
import { loadDemo } from "../../scripts/demo/load_demo.ts";
import { startForgetfulPooler } from "../support/forgetful_pooler.ts";
import { cloneDatabase, type ClonedDatabase, connect, lockSchedule, stack } from "../support/index.ts";
import { run } from "./run.ts";

let clone: ClonedDatabase;
beforeAll(async () => {
  clone = await cloneDatabase();
});
afterAll(() => clone.drop());

describe("the database of a command", () => {
  it("has no time limit, also behind a pooler that ignores the settings at the start of a connection", async () => {
    const sql = connect(clone.url);
    await sql.unsafe(`alter database ${new URL(clone.url).pathname.slice(1)} set statement_timeout = '2min'`);
    await sql.end();
    const pooler = await startForgetfulPooler(clone.url);
    vi.stubEnv("DATABASE_URL", pooler.url);
    expect(await withDatabase((session) => session`show statement_timeout`)).toEqual([{ statement_timeout: "0" }]);
    vi.unstubAllEnvs();
    pooler.stop();
  });
});

it("the demo data are loaded without the time limit that the statements of a server may have", async () => {
  const limited = await cloneDatabase();
  const [sql, holder] = [connect(limited.url), connect(limited.url)];
  try {
    await sql.unsafe(`alter database ${new URL(limited.url).pathname.slice(1)} set statement_timeout = '1s'`);
    // A store that has members is not changed, but it is read.
    await sql`insert into app.users (nickname) values ('Member')`;
    await holder.unsafe("begin; lock table app.users");
    const loaded = loadDemo(limited.url, { supabaseUrl: "", secretKey: "" }, () => undefined);
    const waited = async () =>
      expect(
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '1.5 seconds'`,
      ).toHaveLength(1);
    await Promise.race([vi.waitFor(waited), loaded]);
    await holder.unsafe("commit");
    expect(await loaded).toEqual({ users: [] });
  } finally {
    await Promise.all([sql.end(), holder.end()]);
    await limited.drop();
  }
});

describe("hjf:verify-agent-config", () => {
  it("reports no errors for a new store with pg_cron", async () => {
    const schedule = await lockSchedule();
    try {
      const { code, output } = await run("verify_agent_config", [], { DATABASE_URL: stack().database_url });
      expect(output).toMatch(/✓ +end_to_end +release of a day, run twice/);
      expect(output).toMatch(/\d+ ok, \d+ hints, \d+ warnings, 0 errors/);
      expect(code).toBe(0);
    } finally {
      await schedule.unlock();
    }
  });

  it("exits with 1 and says what to do if a setting is wrong, as text and as JSON", async () => {
    const sql = connect(clone.url);
    await sql`update app.agent_levels set umbrella_points = 900 where grade = 2`;
    const [text, json] = await Promise.all([
      run("verify_agent_config", [], { DATABASE_URL: clone.url }),
      run("verify_agent_config", ["--json"], { DATABASE_URL: clone.url }),
    ]);
    await sql`update app.agent_levels set umbrella_points = 300 where grade = 2`;
    await sql.end();
    expect(text).toMatchObject({
      code: 1,
      output: expect.stringContaining("Give each grade at least the points of the grade below it."),
    });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.output)).toContainEqual(
      expect.objectContaining({ check_id: "points_do_not_fall", severity: "error", message: "points fall at grade 3" }),
    );
  });
});

describe("reconcile", () => {
  it("exits with 1 if a balance differs from its bill, otherwise with 0", async () => {
    expect(await run("reconcile", [], { DATABASE_URL: clone.url })).toMatchObject({
      code: 0,
      output: expect.stringContaining("Every balance equals its bill"),
    });
    const sql = connect(clone.url);
    await sql`with member as (insert into app.users (nickname) values ('Tampered') returning uid) insert into app.user_balances (uid, brokerage_price) select uid, 0.01 from member`;
    const { code, output } = await run("reconcile", [], { DATABASE_URL: clone.url });
    await sql`update app.user_balances set brokerage_price = 0`;
    await sql.end();
    expect([code, output]).toEqual([1, expect.stringMatching(/balance_equals_bill +uid \d+/)]);
  });
});

describe("simulate", () => {
  it("replays nothing in a store without orders", async () => {
    const { code, output } = await run("simulate", ["--json"], { DATABASE_URL: clone.url });
    expect([code, JSON.parse(output)]).toEqual([
      0,
      { orders: 0, revenue: "0.00", totals: {}, members: [], depths: [] },
    ]);
  });

  it.each([
    [["--plan", '{"tier_ratios": [0.1]}'], "there is one ratio per person"],
    [["--plan", '{"people_per_cycle": 3, "payout_kap": 1}'], "payout_kap"],
    [["--plan", "no json"], "'no json' is invalid. It is neither JSON nor a JSON file"],
    [["--levels", "[]"], "levels_invalid"],
    [["--days", "-3"], "--help"],
    [["--surprise"], "--help"],
    [["--days=-3"], "must be a whole number from 1"],
  ])("rejects %j", async (args, message) => {
    expect(await run("simulate", args, { DATABASE_URL: clone.url })).toMatchObject({
      code: 2,
      output: expect.stringContaining(message),
    });
  });
});

describe("the commands report, without a stack trace, a database", () => {
  const at = (change: (url: URL) => void) => {
    const url = new URL(clone.url);
    change(url);
    return url.href;
  };
  it.each([
    [
      "that cannot be reached",
      () => "postgresql://postgres@127.0.0.1:1/postgres",
      "The database at 127.0.0.1:1 could not be reached",
    ],
    [
      "whose host cannot be resolved",
      () => "postgresql://postgres@nowhere.invalid/postgres",
      "The host nowhere.invalid of DATABASE_URL could not be resolved",
    ],
    ["that is not a URL", () => "nowhere", "DATABASE_URL is not a database URL"],
    [
      "that does not exist",
      () => at((url) => (url.pathname = "/nothing_there")),
      'database "nothing_there" does not exist',
    ],
    ["whose password is wrong", () => at((url) => (url.password = "wrong")), "password authentication failed"],
    ["that contains no store", () => at((url) => (url.pathname = "/template1")), "names the database of a store"],
  ])("%s", async (_what, address, message) => {
    const { code, output } = await run("reconcile", [], { DATABASE_URL: address() });
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
    expect(output).not.toMatch(/^ +at |Unexpected error/m);
  });
});
