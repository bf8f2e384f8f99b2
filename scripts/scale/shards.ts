import { existsSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { type Database, ownerUrl, startKeptDatabase } from "../postgres/database.ts";
import { superuserUrl, withConnection } from "../postgres/database_server.ts";
import { apt, canInstallPackages } from "../ground/debian_packages.ts";
import { applyMigrations } from "../postgres/migrations.ts";
import { projectRoot, type StackPlace } from "../ground/paths.ts";
import { createPlatformRoles, preparePlatform, runSqlFiles } from "../postgres/platform.ts";
import { freePort } from "../ground/ports.ts";
import { findInstall, type PostgresInstall } from "../postgres/install.ts";
import { Problem } from "../ground/problem.ts";
import { type ShowDetail, step } from "../ground/progress.ts";
import type { Running } from "../ground/running.ts";
import { passwordOf, resetAdvice, writeState } from "../ground/state.ts";

const folder = join(projectRoot, "scripts/scale/shards");

/** PL/Proxy chooses a shard by the lowest bits of a number. */
export const shardCounts = [2, 4, 8, 16];

/** Whether a server has PL/Proxy. */
export function hasPlProxy({ bin, major }: Pick<PostgresInstall, "bin" | "major">): boolean {
  return (
    bin.startsWith("/usr/lib/postgresql/") &&
    existsSync(join("/usr/share/postgresql", String(major), "extension/plproxy.control"))
  );
}

/** Installs PL/Proxy from Debian's packages for the installed server, if it is missing and can be installed. */
export async function ensurePlProxy(show: ShowDetail): Promise<void> {
  const install = findInstall();
  if (!install || hasPlProxy(install) || !canInstallPackages()) return;
  await apt(["update"], show);
  await apt(["install", "--no-install-recommends", `postgresql-${install.major}-plproxy`], show);
}

/** @throws Problem if a store cannot have shards, or has another number of them: no member changes shard */
function requireFitting({ kind, state }: Database, count: number, place: StackPlace): PostgresInstall {
  const install = kind === "installed" ? findInstall() : undefined;
  if (!install)
    throw new Problem(
      "Shards need private databases on an installed Postgres.",
      "Unset DATABASE_URL and STORE_POSTGRES, or start without --shards.",
    );
  if (!hasPlProxy(install))
    throw new Problem(
      "PL/Proxy is not installed.",
      `Install it (on Debian: apt-get install postgresql-${install.major}-plproxy), or start without --shards.`,
    );
  if (state.ready && state.shards !== count) {
    const has = state.shards ? `has ${state.shards} shards` : "has no shards";
    throw new Problem(
      `The store in ${place.directory} ${has}, and no member changes shard.`,
      `Start it as it is, or start over. ${resetAdvice(place)}`,
    );
  }
  return install;
}

/** Starts one shard. A new one becomes an empty store with ids of its own. */
async function startShard(
  place: StackPlace,
  install: PostgresInstall,
  home: Database,
  shard: number,
  count: number,
  running: Running,
): Promise<Database> {
  const isNew = !home.state.ready;
  const database = await startKeptDatabase(place, install, { seed: home.state.seed, isNew }, await freePort(), running);
  if (!isNew) return database;
  const { state, server, name } = database;
  await createPlatformRoles(database);
  await preparePlatform(database, name, { schedules: true, forTests: false });
  await applyMigrations(ownerUrl(database, name), `Fix the migration and start again. ${resetAdvice(place)}`);
  const superuser = superuserUrl(server, name);
  await withConnection(superuser, (sql) =>
    sql.unsafe(`alter role store_api password '${passwordOf(state, "store_api")}'`),
  );
  await makeShard(superuser, shard, count);
  await runSqlFiles(superuser, [join(folder, "empty.sql")]);
  // Loads the jobs of pg_cron, like after the migrations of any stack.
  await database.restart?.();
  return database;
}

/** Logical replication needs a setting that takes effect at the start of a server. */
async function allowReplication(home: Database): Promise<void> {
  const url = superuserUrl(home.server, home.name);
  const level = await withConnection(
    url,
    async (sql) => (await sql<{ level: string }[]>`select current_setting('wal_level') as level`)[0]?.level,
  );
  if (level === "logical") return;
  await withConnection(url, (sql) => sql.unsafe("alter system set wal_level = 'logical'"));
  await home.restart?.();
}

const quoted = (text: string | number) => `'${String(text).replaceAll("'", "''")}'`;

/**
 * Gives a store ids of its own among the shards, and the functions that the router calls.
 * @param url for the superuser
 */
export function makeShard(url: string, shard: number, count: number): Promise<void> {
  return runSqlFiles(url, [join(folder, "shard.sql")], {
    "router.shards": String(count),
    "router.shard": String(shard),
  });
}

/** Makes a store without members the router of shards. @param url for the superuser */
export function makeRouter(url: string, count: number): Promise<void> {
  const files = ["watch.sql", "together.sql", "home.sql"].map((file) => join(folder, file));
  return runSqlFiles(url, files, { "router.shards": String(count) });
}

/** Where a shard is, and the secret of its passwords. */
type ShardAddress = Pick<Database, "server" | "name" | "state">;

/** Tells the router where the shards are. Their ports change with each start. */
export async function connectRouter(url: string, shards: ShardAddress[]): Promise<void> {
  await withConnection(url, (sql) => setServers(sql, shards));
}

async function setServers(sql: postgres.Sql, shards: ShardAddress[]): Promise<void> {
  const [known] = await sql<
    { exists: boolean }[]
  >`select exists (select from pg_foreign_server where srvname = 'shards')`;
  const addresses = shards.map(
    ({ server, name }, shard) => `p${shard} ${quoted(`host=${server.host} port=${server.port} dbname=${name}`)}`,
  );
  if (known?.exists) {
    await sql.unsafe(`alter server shards options (${addresses.map((address) => `set ${address}`).join()})`);
    return;
  }
  await sql.unsafe(`create server shards foreign data wrapper plproxy options (${addresses.join()})`);
  for (const role of ["store_api", "postgres"]) {
    await sql.unsafe(`grant usage on foreign server shards to ${role}`);
    await sql.unsafe(
      `create user mapping for ${role} server shards options (user ${quoted(role)}, password ${quoted(passwordOf(shards[0]!.state, role))})`,
    );
  }
}

/**
 * Has a shard follow the plans, levels, products, settings and administrators of the home, and waits until it has them.
 */
async function followHome(shard: Database, number: number, home: Database): Promise<void> {
  const { server, name } = home;
  const source = `host=${server.host} port=${server.port} dbname=${name} user=${server.superuser} password=${server.superuserPassword}`;
  await withConnection(superuserUrl(shard.server, shard.name), async (sql) => {
    const [known] = await sql<
      { exists: boolean }[]
    >`select exists (select from pg_subscription where subname = ${`shard_${number}`})`;
    await sql.unsafe(
      known?.exists
        ? `alter subscription shard_${number} connection ${quoted(source)}`
        : `create subscription shard_${number} connection ${quoted(source)} publication home`,
    );
    const deadline = Date.now() + 60_000;
    for (;;) {
      const [row] = await sql<
        { missing: number }[]
      >`select count(*)::integer as missing from pg_subscription_rel where srsubstate <> 'r'`;
      if (row?.missing === 0) return;
      if (Date.now() > deadline)
        throw new Problem(`Shard ${number} does not receive the settings of the home.`, "Its log says why.");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
}

/**
 * Makes a new store the home and router of shards, each on a server of its own, or starts the shards of one that is.
 * @returns the shards by their numbers
 */
export async function startShards(
  place: StackPlace,
  home: Database,
  count: number,
  running: Running,
): Promise<Database[]> {
  const install = requireFitting(home, count, place);
  const isNew = !home.state.ready;
  await step("Logical replication", () => allowReplication(home));
  const shards: Database[] = [];
  for (let shard = 0; shard < count; shard += 1) {
    shards.push(
      await step(`Shard ${shard}`, () => startShard(place.shard(shard), install, home, shard, count, running)),
    );
  }
  await step("The router", async () => {
    const url = superuserUrl(home.server, home.name);
    if (isNew) await makeRouter(url, count);
    await connectRouter(url, shards);
    // The watch may have seen the shards stop before the home did.
    await withConnection(url, (sql) => sql`delete from router.shard_states`);
    await withConnection(
      url,
      (sql) => sql`select cron.schedule('watch_shards', '* * * * *', $$call router.watch('1 minute')$$)`,
    );
    // pg_cron begins with the next minute, and a shard may hang in this one. An error means that the home was stopped
    // meanwhile.
    withConnection(url, (sql) => sql`call router.watch('1 minute')`).catch(() => {});
    for (const [number, shard] of shards.entries()) await followHome(shard, number, home);
  });
  for (const [number, shard] of shards.entries()) {
    shard.state.ready = true;
    writeState(place.shard(number), shard.state);
  }
  home.state.shards = count;
  return shards;
}
