import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createCluster, createDataDirectory, startCluster } from "../../scripts/postgres/cluster.ts";
import { databaseUrl, localServer, platformSuperuser, superuserUrl } from "../../scripts/postgres/database_server.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { findInstall, type PostgresInstall } from "../../scripts/postgres/install.ts";
import { Running } from "../../scripts/ground/running.ts";
import { serverUser } from "../../scripts/ground/server_user.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { passwordOf, readState, type State, writeState } from "../../scripts/ground/state.ts";
import { lacking, testContext } from "../../scripts/testing/context.ts";
import { connect, skipFor } from "../support/index.ts";
import { refusingEmptyWrites } from "../support/writes_of_demo_data.ts";
import { type CommandPlace, eventually, newCommandPlace } from "../../scripts/testing/command.ts";
import { copyDemoStore } from "../../scripts/testing/demo_store.ts";

// Runs the commands of docs/operations.md, with real servers: a store with its demo month is dumped and archived, lost
// and restored.

/** Tables and sequences that the scheduled jobs of a running store change all the time. */
const BOOKKEEPING =
  /^app\.(clock|told_events|webhook_position|job_runs|reconcile_runs|scheduled_jobs|function_settings|settings_checks|team_totals_as_of)/;

const places: CommandPlace[] = [];
let install: PostgresInstall;
let source: CommandPlace;
/** Where the commands run and leave their files. */
const folder = mkdtempSync(join(tmpdir(), "store-backup-"));

async function newPlace(): Promise<CommandPlace> {
  const at = await newCommandPlace();
  places.push(at);
  return at;
}

const stateOf = (at: CommandPlace) => readState(at.place)!;
const serverOf = (at: CommandPlace, state = stateOf(at)) =>
  localServer(Number(at.environment.DATABASE_PORT), passwordOf(state, platformSuperuser));

/** Opens a connection as the superuser of a place's server. */
const superuser = (at: CommandPlace) => refusingEmptyWrites(connect(superuserUrl(serverOf(at), "postgres")));

async function start(at: CommandPlace): Promise<void> {
  const { code, output } = await at.run("start", "--detach");
  expect(code, output).toBe(0);
}

/** The code blocks of a section of docs/operations.md. */
function blocksOf(title: string): string[] {
  const text = readFileSync(join(projectRoot, "docs/operations.md"), "utf8");
  const section = text.split(/^## /m).find((each) => each.startsWith(`${title}\n`))!;
  return [...section.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, block]) => block!);
}

/** Runs commands of the document in `folder` against the server of a place. */
async function runCommands(at: CommandPlace, commands: string): Promise<string> {
  const server = serverOf(at);
  const env = {
    PATH: `${install.bin}:${process.env.PATH}`,
    DATABASE_URL: databaseUrl(server, "postgres", passwordOf(stateOf(at), "postgres"), "postgres"),
    PGHOST: server.host,
    PGPORT: String(server.port),
    PGPASSWORD: server.superuserPassword,
  };
  const { all } = await execa("bash", ["-e", "-c", commands], { cwd: folder, env, all: true });
  return all;
}

/** The server of a place without the rest of the stack. */
async function withServer<T>(at: CommandPlace, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const running = new Running();
  try {
    await startCluster(at.place, stateOf(at), install, Number(at.environment.DATABASE_PORT), running);
    const sql = superuser(at);
    const result = await work(sql);
    await sql.end();
    return result;
  } finally {
    await running.stop();
  }
}

/** A place with the secrets and accounts of the source, and data of its own. */
async function placeLikeSource(
  makeData: (at: CommandPlace, state: State) => Promise<string> | string,
): Promise<CommandPlace> {
  const at = await newPlace();
  const state = { ...stateOf(source), data_directory: "" };
  writeState(at.place, state);
  writeState(at.place, { ...state, data_directory: await makeData(at, state) });
  return at;
}

/** What a store contains: a digest of each table, the values of its sequences, its schedule. Reads one snapshot. */
async function contentOf(sql: postgres.Sql): Promise<Record<string, string>> {
  return sql.begin("isolation level repeatable read", async (transaction) => {
    const content: Record<string, string> = {};
    const tables = await transaction<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where n.nspname in ('app', 'auth', 'supabase_migrations') and c.relkind = 'r' order by 1`;
    for (const { name } of tables) {
      const [row] = await transaction.unsafe<{ digest: string }[]>(
        `select count(*) || ' ' || md5(coalesce(string_agg(t::text, chr(10) order by t::text collate "C"), '')) as digest from ${name} as t`,
      );
      content[name] = row!.digest;
    }
    const sequences = await transaction<{ name: string; value: string }[]>`
      select schemaname || '.' || sequencename as name, coalesce(last_value::text, 'unused') as value from pg_sequences where schemaname = 'app'`;
    for (const { name, value } of sequences) content[name] = value;
    const jobs = await transaction<
      { name: string; job: string }[]
    >`select jobname as name, concat_ws(' ', schedule, command, username, active) as job from cron.job`;
    for (const { name, job } of jobs) content[`job ${name}`] = job;
    const constraints = await transaction<{ name: string; is_valid: boolean }[]>`
      select conrelid::regclass || ' ' || conname as name, convalidated as is_valid from pg_constraint where conname like 'month_%_is_closed'`;
    for (const { name, is_valid } of constraints) content[name] = is_valid ? "valid" : "not valid";
    return Object.fromEntries(Object.entries(content).filter(([name]) => !BOOKKEEPING.test(name)));
  });
}

/** Calls a route of a running store as a demo account. */
async function call(
  at: CommandPlace,
  role: "authenticated" | "store_admin",
  method: string,
  path: string,
  json?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const info = readStackFile(at.place)!;
  const { email, password } = info.users.find((user) => user.role === role)!;
  const post = {
    method: "POST",
    headers: { apikey: info.publishable_key, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  };
  const session = (await (await fetch(`${info.supabase_url}/auth/v1/token?grant_type=password`, post)).json()) as {
    access_token: string;
  };
  const response = await fetch(info.functions_url + path, {
    method,
    headers: { authorization: `Bearer ${session.access_token}`, "content-type": "application/json" },
    ...(json && { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Places an order over HTTP. @returns its id */
async function order(at: CommandPlace): Promise<number> {
  const { body: products } = await call(at, "authenticated", "GET", "/api/product");
  const [product] = products.list as { id: number }[];
  const address = { name: "Chen Jing", phone: "13800000000", region: ["Guangdong"], street: "1 Restore Road" };
  const { status, body } = await call(at, "authenticated", "POST", "/api/order", {
    items: [{ product_id: product!.id, quantity: 1 }],
    address,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id as number;
}

/** Reads all events after a cursor, as a machine does. */
async function readEvents(
  at: CommandPlace,
  after: string | null,
): Promise<{ events: string[]; cursor: string | null }> {
  const events: string[] = [];
  for (let cursor = after; ;) {
    const path = `/adminapi/events?limit=1000${cursor === null ? "" : `&after=${cursor}`}`;
    const { body } = await call(at, "store_admin", "GET", path);
    const list = body.list as { type: string; subject_id: number }[];
    if (list.length === 0) return { events, cursor };
    events.push(...list.map(({ type, subject_id: id }) => `${type} ${id}`));
    cursor = body.next_cursor as string;
  }
}

const hasOrder = async (sql: postgres.Sql, id: number) =>
  (await sql`select from app.orders where id = ${id}`).length === 1;

/** Expects a store to be consistent and configured. */
async function expectSound(sql: postgres.Sql): Promise<void> {
  expect([...(await sql`select * from app.reconcile()`)]).toEqual([]);
  expect([...(await sql`select * from app.verify_agent_config() where severity = 'error'`)]).toEqual([]);
}

/** Recovers the base backup with the archive. @param settings for postgresql.auto.conf */
function recover(settings: string): Promise<CommandPlace> {
  return placeLikeSource(async (at) => {
    const data = createDataDirectory(at.place);
    cpSync(join(folder, "base"), data, { recursive: true });
    // A recovered server must not write into the archive from which it was recovered.
    const file = join(data, "postgresql.auto.conf");
    writeFileSync(file, `${readFileSync(file, "utf8")}\narchive_mode = off\n${settings}`);
    writeFileSync(join(data, "recovery.signal"), "");
    await own(data);
    return data;
  });
}

/** Gives files to the user who runs the server. */
async function own(path: string): Promise<void> {
  const { account } = serverUser();
  if (account) await execa("chown", ["-R", `${account.uid}:${account.gid}`, path]);
}

const recovered = async (sql: postgres.Sql) => (await sql`select pg_is_in_recovery() as runs`)[0]!.runs === false;

const archive = () => join(folder, "archive");
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Whether a segment has been copied completely. */
const inArchive = (segment: string) =>
  existsSync(join(archive(), segment)) && statSync(join(archive(), segment)).size === SEGMENT_BYTES;
/** The name of the log segment that is being written. */
const currentSegment = async (sql: postgres.Sql) =>
  (await sql<{ name: string }[]>`select pg_walfile_name(pg_current_wal_insert_lsn()) as name`)[0]!.name;

const lacksTools = lacking("pg_dump", "pg_cron", "linux");

beforeAll(async () => {
  if (lacksTools) return;
  install = findInstall()!;
  source = await copyDemoStore(testContext().demoStore!);
  places.push(source);
  mkdirSync(archive());
  // The server archives into it and reads from it.
  await own(folder);
  const [settings] = blocksOf("Point-in-time recovery");
  await withServer(source, async (sql) => {
    for (const [, name, value] of settings!.matchAll(/^(\w+) = (.*)$/gm))
      // The tests decide themselves what is archived when.
      await sql.unsafe(
        `alter system set ${name} = ${name === "archive_timeout" ? "0" : value!.replaceAll("/srv/archive", archive())}`,
      );
  });
  await start(source);
  const sql = superuser(source);
  await sql`select app.close_month(to_char(date_trunc('month', now() at time zone 'Asia/Shanghai') - interval '1 day', 'YYYY-MM'), null)`;
  await sql.end();
});

afterAll(async () => {
  for (const at of places.reverse()) {
    await at.run("stop");
    await at.remove();
  }
  rmSync(folder, { recursive: true });
});

// The tests run in order. Each starts from the state that the previous one left.
skipFor(describe, lacksTools)("a store with its demo month", { concurrent: false }, () => {
  // Guarantee operation/events-cursor: The cursor of a reader stays valid after a failover, a recovery and a restore
  // By: a later era begins by itself, app.current_era
  // Guarantee operation/backup-dump: A dump is a complete backup: roles, schedule, accounts, closed months, sequences
  // By: the commands of docs/operations.md
  it("is restored from its dump into an empty cluster, with roles, schedule, accounts, closed months and sequences, and serves", async () => {
    const [dump, restore] = blocksOf("Backups");
    const read = await readEvents(source, null);
    expect(read.events.length).toBeGreaterThan(100);
    const before = superuser(source);
    // The restored server runs its jobs at once. Nothing becomes due meanwhile. The reconciliation accepts an
    // announcement that is ahead by as much as two right clocks may differ.
    for (const tolerances of [0, 1])
      await before`select app.announce_maturities(now() + ${tolerances} * app.clock_tolerance(), 1000), app.announce_expiries(now() + ${tolerances} * interval '10 minutes', 1000)`;
    let expected = await contentOf(before);
    // A scheduled job may have changed something meanwhile.
    for (let previous; JSON.stringify(previous) !== JSON.stringify(expected);) {
      previous = expected;
      await runCommands(source, dump!);
      expected = await contentOf(before);
    }
    await before.end();
    expect(Object.values(expected)).toContain("not valid");

    const at = await placeLikeSource((place, state) => createCluster(place.place, state, install));
    await withServer(at, async (sql) => {
      await runCommands(at, restore!);
      const found = await contentOf(sql);
      expect(found).toEqual(expected);
      expect(Object.keys(found).filter((name) => name.startsWith("job ")).length).toBeGreaterThan(10);
      for (const role of ["postgres", "authenticator", "supabase_auth_admin"])
        await sql.unsafe(`alter role ${role} password '${passwordOf(stateOf(at), role)}'`);
      await expectSound(sql);
      expect([
        ...(await sql`select r.rolname from pg_roles as r where r.rolname in ('anon', 'authenticated', 'store_api') and has_database_privilege(r.rolname, current_database(), 'temporary')`),
      ]).toEqual([]);
      // A release row like any other, but of the last moment of the closed month, in which the demo month may have
      // none.
      const late = sql`
        insert into app.user_bill (uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after, add_time)
        select b.uid, b.type, b.source, b.frozen_delta, b.available_delta, b.basis, b.rate, b.brokerage_after, b.frozen_after, b.available_after, m.ends_at - interval '1 second'
        from (select max(ends_at) as ends_at from app.closed_months) as m
        cross join (select * from app.user_bill where type = 'frozen_points_release' limit 1) as b`;
      await expect(late).rejects.toThrow(/month_closed/);
    });

    const asked = "/api/hjf/assets/overview";
    const overview = (await call(source, "authenticated", "GET", asked)).body;
    await start(at);
    expect((await call(at, "authenticated", "GET", asked)).body).toEqual(overview);
    expect((await call(at, "store_admin", "GET", "/adminapi/system/metadata")).status).toBe(200);
    const id = await order(at);
    expect((await call(at, "store_admin", "PUT", `/adminapi/order/${id}/pay`)).status).toBe(200);
    // The restored server counts its transactions from the beginning.
    await vi.waitFor(async () => expect((await readEvents(at, read.cursor)).events).toContain(`order.paid ${id}`));
    expect((await readEvents(at, null)).events.slice(0, read.events.length)).toEqual(read.events);
    const after = superuser(at);
    expect((await after`select max(id)::integer as id from app.orders`)[0]).toEqual({ id });
    const restored = (await after`select now() as at`)[0]!.at as Date;
    const ran = () => after`select from cron.job_run_details where status = 'succeeded' and start_time > ${restored}`;
    await vi.waitFor(async () => expect((await ran()).length).toBeGreaterThan(0), { interval: 1_000 });
    await expectSound(after);
    await after.end();
    await at.run("stop");
  });

  // Guarantee operation/backup-archive: With the disk, at most what was written since the last archived segment is lost
  // By: `archive_timeout`, docs/operations.md
  it("archives each acknowledged write within archive_timeout", async () => {
    const sql = superuser(source);
    await sql`alter system set archive_timeout = '2s'`;
    await sql`select pg_reload_conf()`;
    const [, backup] = blocksOf("Point-in-time recovery");
    await runCommands(source, backup!);
    await order(source);
    const segment = await currentSegment(sql);
    await eventually(() => inArchive(segment));
    await sql`alter system set archive_timeout = 0`;
    await sql`select pg_reload_conf()`;
    await sql.end();
  });

  // Guarantee operation/backup-in-time
  it("returns to a time before a mistake: what was committed until then is there, and nothing of what came later", async () => {
    const [, , , , target] = blocksOf("Point-in-time recovery");
    const sql = superuser(source);
    const kept = await order(source);
    const [{ before }] = await sql<[{ before: string }]>`select clock_timestamp()::text as before`;
    const prices = () => sql`select id, price from app.products order by id`;
    const right = [...(await prices())];
    await sql`update app.products set price = 0.01`;
    const mistaken = await order(source);
    const segment = await currentSegment(sql);
    await sql`select pg_switch_wal()`;
    await eventually(() => inArchive(segment));
    for (const { id, price } of right) await sql`update app.products set price = ${price} where id = ${id}`;
    await sql.end();

    const settings = target!
      .replaceAll("/srv/archive", archive())
      .replace(/(?<=recovery_target_time = ')[^']+/, before);
    expect(settings).toContain(before);
    const at = await recover(settings);
    await withServer(at, async (server) => {
      await eventually(() => recovered(server));
      expect([await hasOrder(server, kept), await hasOrder(server, mistaken)]).toEqual([true, false]);
      expect([...(await server`select id, price from app.products order by id`)]).toEqual(right);
      await expectSound(server);
    });
  });

  // Guarantee operation/backup-in-time: The store returns to a named state before a mistake, or to the minute before it
  // By: archived logs, `recovery_target_name` or `recovery_target_time`, docs/operations.md
  it("returns to a named restore point before a mistake, and serves", async () => {
    const [, , name, targets] = blocksOf("Point-in-time recovery");
    const sql = superuser(source);
    const kept = await order(source);
    await runCommands(source, name!);
    const mistaken = await order(source);
    await sql`update app.user_balances set brokerage_price = brokerage_price + 1 where uid = (select min(uid) from app.user_balances)`;
    expect((await sql`select * from app.reconcile()`).length).toBeGreaterThan(0);
    const segment = await currentSegment(sql);
    await sql`select pg_switch_wal()`;
    await eventually(() => inArchive(segment));
    await sql.end();

    const at = await recover(targets!.replaceAll("/srv/archive", archive()));
    await withServer(at, async (target) => {
      await eventually(() => recovered(target));
      expect([await hasOrder(target, kept), await hasOrder(target, mistaken)]).toEqual([true, false]);
      await expectSound(target);
    });
    await start(at);
    expect((await call(at, "authenticated", "GET", `/api/order/${kept}`)).status).toBe(200);
    const next = await order(at);
    expect(next).toBeGreaterThan(kept);
    await at.run("stop");
  });

  // Guarantee faults/crash: An acknowledged write survives a crash of Postgres
  // By: it is committed before the response, in one statement, functions/_shared/database/database.ts
  it("loses with its disk what was not archived, and nothing if the log of the crashed server can be read", async () => {
    const sql = superuser(source);
    await sql`update app.user_balances set brokerage_price = brokerage_price - 1 where uid = (select min(uid) from app.user_balances)`;
    const archived = await order(source);
    const segment = await currentSegment(sql);
    await sql`select pg_switch_wal()`;
    await eventually(() => inArchive(segment));
    const lost = await order(source);
    await sql.end();
    const data = stateOf(source).data_directory;
    const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    const owner = (JSON.parse(readFileSync(source.place.ownerFile, "utf8")) as { pid: number }).pid;
    // The stack first, so that it does not start Postgres again. Its death also stops Postgres, so the crash comes
    // before that.
    process.kill(owner, "SIGSTOP");
    process.kill(postmaster, "SIGKILL");
    process.kill(owner, "SIGKILL");

    const restore = `restore_command = 'cp ${archive()}/%f %p'\n`;
    const without = await recover(restore);
    await withServer(without, async (target) => {
      await eventually(() => recovered(target));
      expect([await hasOrder(target, archived), await hasOrder(target, lost)]).toEqual([true, false]);
      await expectSound(target);
    });

    for (const name of readdirSync(join(data, "pg_wal")).filter(
      (each) => /^[0-9A-F]{24}$/.test(each) && !inArchive(each),
    ))
      cpSync(join(data, "pg_wal", name), join(archive(), name));
    await own(archive());
    const complete = await recover(restore);
    await withServer(complete, async (target) => {
      await eventually(() => recovered(target));
      expect([await hasOrder(target, archived), await hasOrder(target, lost)]).toEqual([true, true]);
      await expectSound(target);
    });
  });
});
