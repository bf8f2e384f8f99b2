import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemFromDatabase } from "../../functions/_shared/database/database_problem.ts";
import { run } from "../commands/run.ts";
import { connect, stack } from "../support/index.ts";
import { OtherServer } from "../support/other_server.ts";
import { Store } from "./store.ts";

const MONTHS = ["2025-03", "2025-04", "2025-05"];
const TABLES = ["points_release_log", "user_bill"];
const QUERY_CANCELED = "57014";

let store: Store;
let other: OtherServer;
/** For the owner of the database on the other server. */
let there: postgres.Sql;
/** Earns from an order of each of the months, and is released some points in each. */
let referrer: number;
let claims: postgres.Parameter;
/** A received order of each of the months, which paid its referrer. */
const orders: Record<string, number> = {};

async function receivedOrder(buyer: number, at: Date): Promise<number> {
  const id = await store.order(buyer, 1, at);
  await store.sql`select from app.pay_order(${id}, 'test', ${`moved-${id}`}, ${at})`;
  await store.sql`select from app.settle_order(${id}, ${at})`;
  await store.sql`select from app.deliver_order(${id}, ${at})`;
  await store.sql`select from app.confirm_receipt(${id}, ${at})`;
  return id;
}

beforeAll(async () => {
  other = await OtherServer.start();
  there = connect(other.url, { idle_timeout: 1 });
  store = await Store.open();
  referrer = await store.signUp();
  await store.sql`call app.ensure_month_partitions('2025-03-01', '2025-05-01')`;
  await receivedOrder(referrer, new Date("2025-03-02T00:00:00Z"));
  for (const month of MONTHS) {
    orders[month] = await receivedOrder(await store.signUp(referrer), new Date(`${month}-05T00:00:00.123456Z`));
    for (const day of ["07", "21"]) {
      const released = `${month}-${day}`;
      await store.sql`call app.release_frozen_points(${released}::date, ${`${released}T12:00:00Z`}::timestamptz)`;
    }
  }
  await store.sql`update app.users set add_time = '2025-03-01Z'`;
  for (const month of [...MONTHS, "2025-06"]) await store.sql`select from app.close_month(${month}, null)`;
  await store.sql`call app.record_reconcile()`;
  const [account] = await store.sql`select auth_id from app.users where uid = ${referrer}`;
  claims = store.sql.json({ role: "authenticated", sub: account!.auth_id });
  for (const month of MONTHS.slice(0, 2))
    for (const table of TABLES) await store.sql`select app.archive_month(${table}, ${`${month}-01`}::date)`;
  for (let times = 0; times < 2; times += 1) {
    const { code, output } = await run("archive_server", [], { DATABASE_URL: store.url, ARCHIVE_DATABASE_URL: other.url });
    expect(code, output).toBe(0);
  }
});
afterAll(async () => {
  await there.end();
  await store.close();
  await other.stop();
});

/** A read of schema api, as the edge functions make it. @returns the text, with the digits of every number */
const asMember = (name: string, args: postgres.JSONValue) => async (sql: postgres.Sql) => {
  const [row] = await sql`select app.as_caller(${claims}, ${name}, ${sql.json(args)})::text as answer`;
  return row!.answer as string;
};
const asOwner = (statement: string, values: (string | number)[]) => async (sql: postgres.Sql) => {
  const [row] = await sql.unsafe(`select (${statement})::text as answer`, values);
  return row!.answer as string;
};
const march = { p_from: "2025-03-01T00:00:00Z", p_to: "2025-04-10T00:00:00Z" };
const secret = "ab".repeat(32);

/** Lists of months and notes say what is archived. */
const withoutNotes = (answer: string) => answer.replace(/"archived_until": (null|"[^"]*")|"months": \[[^\]]*\]/g, "");

/** Reads that name a time in the archived months. */
const reads = (): Record<string, (sql: postgres.Sql) => Promise<string>> => ({
  "a member's bill of a period": asMember("get_bill", march),
  "a member's statement": asMember("get_statement", { p_month: "2025-03" }),
  "the file of a member's statement": asMember("get_statement_lines", { p_month: "2025-04" }),
  "a member's earnings of a month": asMember("get_month_earnings", { p_month: "2025-03" }),
  "the file of the whole bill": asOwner("app.bill_lines(null, $1, null, null)", [march.p_from]),
  "the explanation of an order": asOwner("app.explain_order($1)", [orders["2025-03"]!]),
  "what members were owed at an instant": asOwner(
    "(select jsonb_agg(o order by o.uid) from app.owed_at(app.past_time($1, now()), now(), 0, $2) as o)",
    ["2025-03-10T00:00:00Z", referrer],
  ),
  "a member's balances at an instant": asOwner("app.balances_at($1, app.past_time($2, now()))", [referrer, "2025-04-01T00:00:00Z"]),
  "the journal of a month": asOwner("app.journal_chunk('2025-03', 'bill', null, 100)", []),
  "what members bring into a journal": asOwner("app.journal_chunk('2025-04', 'opening', null, 1)", []),
  "the root of a month": asOwner("app.month_root('2025-03', $1)", [secret]),
  "the releases of a period": asOwner("(select jsonb_agg(r order by r.id) from app.releases('2025-03-01', '2025-04-30') as r)", []),
});
const answers = async () =>
  Object.fromEntries(await Promise.all(Object.entries(reads()).map(async ([name, read]) => [name, withoutNotes(await read(store.sql))])));

/** Reads that name no such time. */
const others = (): Record<string, (sql: postgres.Sql) => Promise<string>> => ({
  "a member's bill": asMember("get_bill", {}),
  "a member's statement of a later month": asMember("get_statement", { p_month: "2025-06" }),
  "the export of a member": asOwner("app.export_member($1, null)", [referrer]),
  "the orders of a team": asOwner("(select list from app.team_orders($1, 'infinity', 9223372036854775807, 20))", [referrer]),
  "the nightly reconciliation": asOwner("(select count(*) from app.reconcile())", []),
});

/** What administrators read of that server, and how many milliseconds it took. */
async function stateThere(sql = store.sql): Promise<{ state: string; ms: number }> {
  const began = Date.now();
  const [row] = await sql`select app.other_server_state() as state`;
  return { state: row!.state as string, ms: Date.now() - began };
}

async function majorOfStore(): Promise<number> {
  const [row] = await store.sql`select current_setting('server_version_num')::integer / 10000 as major`;
  return row!.major as number;
}

const move = (table: string, month: string) => store.sql`call app.move_months(${table}, ${month})`;
const bringBack = (table: string, month: string) => store.sql`call app.bring_back_months(${table}, ${month})`;
const moved = async () =>
  (
    await store.sql`select table_name || to_char(month, ' YYYY-MM') as name from app.archived_months where moved_at is not null order by 1`
  ).map(({ name }) => name as string);
const tablesThere = async () => (await there`select name from archive.months order by name`).map(({ name }) => name as string);

describe("an archived month", { concurrent: false }, () => {
  let before: Record<string, string>;

  it("is answered as if it were attached, by a read that names its time", async () => {
    before = await answers();
    for (const table of TABLES) await store.sql`call app.attach_months(${table}, '2025-03')`;
    expect(await answers()).toEqual(before);
    expect(Object.values(before).filter((answer) => answer === null || answer.length < 3)).toEqual([]);
    for (const month of MONTHS.slice(0, 2))
      for (const table of TABLES) await store.sql`select app.archive_month(${table}, ${`${month}-01`}::date)`;
    expect(await answers()).toEqual(before);
  });

  it("is read here until its copy is verified, whatever interrupts the move, and the next call goes on", async () => {
    await expect(
      store.sql.begin(async (sql) => {
        await sql`select app.copy_month('user_bill', '2025-03-01')`;
        throw new Error("interrupted while it copied");
      }),
    ).rejects.toThrow("interrupted");
    expect(await tablesThere()).toEqual([]);
    await store.sql`select app.copy_month('user_bill', '2025-03-01')`;
    expect([await tablesThere(), await moved(), await answers()]).toEqual([["user_bill_202503"], [], before]);
    const [copied] = await there`select xmin from archive.months`;
    await store.sql`select app.copy_month('user_bill', '2025-03-01')`;
    expect((await there`select xmin from archive.months`)[0]).toEqual(copied);
    // As if that server had committed and this one not.
    await store.sql`drop foreign table archive.user_bill_202503_moved`;
    await store.sql`select app.copy_month('user_bill', '2025-03-01')`;
    await there`update archive.user_bill_202503 set rate = 0.5 where id = (select min(id) from archive.user_bill_202503)`;
    await expect(store.sql`select app.use_copy('user_bill', '2025-03-01')`).rejects.toMatchObject({ code: "XX001" });
    expect([await moved(), await answers()]).toEqual([[], before]);
    // They may be those of another store.
    await expect(move("user_bill", "2025-03")).rejects.toMatchObject({
      message: "invalid_argument",
      detail: expect.stringContaining("delete the row user_bill_202503 of archive.months there") as string,
    });
    await there`delete from archive.months`;
    await move("user_bill", "2025-03");
    expect([await moved(), await answers()]).toEqual([["user_bill 2025-03"], before]);
  });

  it.each([
    ["moved", "user_bill", "use_copy"],
    ["brought back", "user_bill", "use_copy_here"],
  ])("is never half of what a read shows that waited while it was %s: the read is to be repeated", async (_, table, swap) => {
    await store.sql.unsafe(
      swap === "use_copy" ? `select app.copy_month('${table}', '2025-04-01')` : `select app.copy_month_back('${table}', '2025-04-01')`,
    );
    const mover = store.connection();
    await mover`begin`;
    await mover.unsafe(`select app.${swap}('${table}', '2025-04-01')`);
    const read = reads()["a member's statement"]!(store.sql).catch((error: { code: string }) => error.code);
    await store.untilWaiting(1);
    await mover`commit`;
    await mover.end();
    expect(await read).toBe("40001");
    expect(await answers()).toEqual(before);
  });

  it("is moved to another server and answered from there to the last digit", async () => {
    for (const table of TABLES) await move(table, "2025-04");
    expect(await moved()).toEqual(TABLES.flatMap((table) => [`${table} 2025-03`, `${table} 2025-04`]));
    expect([
      ...(await store.sql`select c.relname from pg_class as c where c.relnamespace = 'archive'::regnamespace and c.relkind = 'r'`),
    ]).toEqual([]);
    expect(await answers()).toEqual(before);
    expect([...(await store.findings()), ...(await store.sql`select * from app.check_archived_months()`)]).toEqual([]);
  });

  it("is asked for there by member and time, and not at all by a read of other months", async () => {
    const plan = async (statement: string) =>
      (await store.sql.unsafe(`explain (verbose, costs off) ${statement}`)).map((row) => row["QUERY PLAN"] as string).join("\n");
    expect(await plan(`select * from app.bill('2025-03-03Z', '2025-03-09Z') as b where b.uid = 7`)).toMatch(
      /Remote SQL: .* WHERE \(\(add_time >= .*\)\) AND \(\(add_time < .*\)\) AND \(\(uid = 7\)\)/,
    );
    expect(await plan(`select * from app.bill('2025-05-03Z', 'infinity') as b where b.uid = 7`)).not.toContain("Remote SQL");
  });

  it("shows a member nobody else's rows, and nobody the password", async () => {
    const [stranger] = await store.sql`select auth_id from app.users where uid = ${await store.signUp()}`;
    await store.sql.begin(async (sql) => {
      await sql`select set_config('request.jwt.claims', ${JSON.stringify({ role: "authenticated", sub: stranger!.auth_id })}, true), set_config('role', 'authenticated', true)`;
      expect([...(await sql`select from archive.user_bill`)]).toEqual([]);
      expect([...(await sql`select umoptions from pg_user_mappings`)]).toEqual([{ umoptions: null }]);
      await expect(sql.savepoint((point) => point`select from archive.user_bill_202503_moved`)).rejects.toMatchObject({ code: "42501" });
    });
  });

  it("cannot be attached or refunded while it is there", async () => {
    await expect(store.sql`call app.attach_months('user_bill', '2025-04')`).rejects.toMatchObject({ message: "invalid_argument" });
    await expect(store.sql`select app.refund_order(${orders["2025-03"]!}, null, null, null)`).rejects.toMatchObject({
      message: "order_archived",
    });
  });

  it.each(["away", "frozen"] as const)(
    "gets a clear error within seconds while that server is %s, and everything else goes on",
    async (how) => {
      if (how === "away") await other.goAway();
      else other.freeze();
      // As the statements of requests, with 2 instead of 15 seconds: see decision 0147.
      const endsByStatement = how === "frozen" && (await majorOfStore()) >= 16;
      const sql = endsByStatement ? connect(store.url, { connection: { statement_timeout: 2000 } }) : store.sql;
      try {
        for (const [name, read] of Object.entries(reads())) {
          const began = Date.now();
          const problem = await read(sql).then(
            () => undefined,
            (error: unknown) => problemFromDatabase(error),
          );
          expect(problem?.code, name).toBe(endsByStatement ? "database_timeout" : "month_unavailable");
          expect(Date.now() - began, name).toBeLessThan(5000);
        }
        for (const [name, read] of Object.entries(others())) expect(await read(store.sql), name).toBeTruthy();
        const { state, ms } = await stateThere(sql);
        expect(state).toBe("unreachable");
        expect(ms).toBeLessThan(5000);
        const check = sql`select distinct subject, left(actual, 8) as actual from app.check_archived_months() order by subject`;
        if (endsByStatement) await expect(check).rejects.toMatchObject({ code: QUERY_CANCELED });
        else
          expect([...(await check)]).toEqual(
            TABLES.flatMap((table) => [`${table} 2025-03`, `${table} 2025-04`]).map((subject) => ({ subject, actual: "not read" })),
          );
        const { stdout } = await run("doctor", ["--project", stack().supabase_url, "--json"], { DATABASE_URL: store.url });
        expect(JSON.parse(stdout) as object[]).toContainEqual(expect.objectContaining({ check: "archive", severity: "error" }));
        const bought = await store.buy(await store.reporter());
        await store.settle(bought);
        expect((await store.sql`select state from app.refund_order(${bought}, null, null, null)`)[0]).toMatchObject({ state: "refunded" });
      } finally {
        if (how === "away") await other.comeBack();
        else other.thaw();
        if (sql !== store.sql) await sql.end();
      }
      await expect.poll(answers).toEqual(before);
      expect(await stateThere()).toMatchObject({ state: "ok" });
    },
  );

  it("gets the same error if that server is too slow, or has lost the month", async () => {
    const problemOf = (name: string) => reads()[name]!(store.sql).then(String, (error: unknown) => problemFromDatabase(error).code);
    await other.giveTo(store.sql, { options: "-c statement_timeout=300ms" });
    await there.begin(async (sql) => {
      await sql`lock table archive.user_bill_202503`;
      expect(await problemOf("a member's statement")).toBe("month_unavailable");
    });
    await there`alter table archive.user_bill_202503 rename to elsewhere`;
    expect(await problemOf("a member's statement")).toBe("month_unavailable");
    await there`alter table archive.elsewhere rename to user_bill_202503`;
    const rename = (from: string, to: string) =>
      there.begin(async (sql) => {
        await sql`alter table archive.months disable trigger it_has_a_table`;
        await sql`update archive.months set name = ${to} where name = ${from}`;
        await sql`alter table archive.months enable trigger it_has_a_table`;
      });
    await rename("user_bill_202503", "elsewhere");
    await expect(other.giveTo(store.sql)).rejects.toMatchObject({
      detail: expect.stringContaining("does not have user_bill_202503") as string,
    });
    await rename("elsewhere", "user_bill_202503");
    await other.giveTo(store.sql);
    expect(await answers()).toEqual(before);
  });

  it("is read in one session however long this server computes between two of its rows", async () => {
    await there`
      create or replace view archive.server as
      select current_setting('idle_in_transaction_session_timeout') as version, archive.sorted_words() as sorted_words, 1::bigint as hash`;
    await expect(store.sql`select app.require_other_server()`).rejects.toMatchObject({
      detail: expect.stringContaining("Postgres 0,") as string,
    });
    await other.giveTo(store.sql);
  });

  it("is on a server that is named by a URL with options of libpq, which the next one replaces", async () => {
    const name = (url: string) => run("archive_server", [], { DATABASE_URL: store.url, ARCHIVE_DATABASE_URL: url });
    const options = async () =>
      (await store.sql`select srvoptions from pg_foreign_server where srvname = 'archive_server'`)[0]!.srvoptions as string[];
    const usual = await options();
    expect(await name(`${other.url}?gssencmode=disable`)).toMatchObject({ code: 0 });
    expect((await options()).sort()).toEqual([...usual, "gssencmode=disable"].sort());
    expect(await name(`${other.url}?hostaddr=127.0.0.99`)).toMatchObject({
      code: 2,
      output: expect.stringContaining("The server of archived months, as the database at") as string,
    });
    expect(await name(other.url)).toMatchObject({ code: 0 });
    expect((await options()).sort()).toEqual(usual.sort());
    for (const url of [other.url.replace(/:[^:]*@/, ":100%@"), other.url.replace(/[^/]*$/, "")])
      expect(await name(url), url).toMatchObject({ code: 2, output: expect.stringContaining("% is written as %25") as string });
    expect(await answers()).toEqual(before);
  });

  it("is moved, brought back and attached by the name of a table that has months", async () => {
    for (const procedure of ["move_months", "bring_back_months", "attach_months"])
      await expect(store.sql.unsafe(`call app.${procedure}('bill', '2025-04')`), procedure).rejects.toMatchObject({
        message: "invalid_argument",
        detail: "The tables with months are admin_actions, points_release_log, user_bill.",
      });
  });

  it("is not moved to a server that sorts text or computes digests in another way", async () => {
    await there`create or replace view archive.server as select '99' as version, archive.sorted_words() as sorted_words, 1::bigint as hash`;
    await expect(store.sql`select app.require_other_server()`).rejects.toMatchObject({
      message: "invalid_argument",
      detail: expect.stringContaining("Postgres 99") as string,
    });
    await other.giveTo(store.sql);
  });

  it("is brought back and attached as what it was", async () => {
    await bringBack("user_bill", "2025-03");
    await bringBack("points_release_log", "2025-03");
    expect(await moved()).toEqual([]);
    expect(await tablesThere()).toEqual([]);
    expect(await answers()).toEqual(before);
    for (const table of TABLES) await store.sql`call app.attach_months(${table}, '2025-03')`;
    expect(await answers()).toEqual(before);
    expect(await store.findings()).toEqual([]);
  });
});
