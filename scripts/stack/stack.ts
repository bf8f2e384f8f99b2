import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, ownerUrl, startDatabase } from "../postgres/database.ts";
import { databaseUrl, superuserUrl, withConnection } from "../postgres/database_server.ts";
import { documentationPath } from "./documentation.ts";
import { buildFunctions, bundleOf, functionNames } from "../generate/function_bundles.ts";
import { type ServedFunction, serveFunction } from "./functions.ts";
import { type ServedSite, startGateway } from "./gateway.ts";
import { migrateStore } from "../postgres/migration_history.ts";
import type { Part } from "../ground/part.ts";
import { projectRoot, type StackPlace } from "../ground/paths.ts";
import { type LocalPayments, paymentsPath, startPayments } from "./payments.ts";
import { createPlatformRoles, preparePlatform } from "../postgres/platform.ts";
import { ensurePooler, startPooler } from "../scale/pooler.ts";
import { freePort, host } from "../ground/ports.ts";
import type { StackInfo } from "../ground/stack_file.ts";
import { findInstall } from "../postgres/install.ts";
import { Problem } from "../ground/problem.ts";
import { type ShowDetail, step } from "../ground/progress.ts";
import { Running } from "../ground/running.ts";
import { hasStandIn, startScheduler } from "./scheduler.ts";
import { startSharePages } from "./share_pages.ts";
import { ensurePlProxy, startShards } from "../scale/shards.ts";
import { startStandby } from "../scale/standby.ts";
import { startStorage, storagePath } from "./storage.ts";
import { foundationOfSupabase, type SupabaseStack } from "./supabase_stack.ts";
import { startWorkerCalls } from "./worker.ts";
import { type DemoUser, keyOf, passwordOf, readState, writePrivateFile, writeState } from "../ground/state.ts";
import { demoPicturesPath } from "../demo/pictures.ts";
import { buildSite, consoleSite, h5Site } from "./static_site.ts";
import { startVite } from "./vite_site.ts";

/** The addresses and keys needed to fill a new database. */
export interface FreshDatabase {
  databaseUrl: string;
  supabaseUrl: string;
  secretKey: string;
}

export interface StackOptions {
  place: StackPlace;
  gatewayPort: number;
  databasePort: number;
  /** Adds pgTAP and plpgsql_check to the database. */
  forTests: boolean;
  /** Puts PgBouncer in transaction mode between the edge functions and the database. */
  pooler?: boolean;
  /** Starts a streaming standby, which answers reads that may be a moment old. */
  replica?: boolean;
  /** How many shards the members of a new store are on. The database of the stack is then their home and router. */
  shards?: number;
  /** Serves the sites from their sources, so that changes are seen at once. */
  watch?: boolean;
  /** The stack of the Supabase CLI whose database, Auth and Storage to use. */
  supabase?: SupabaseStack;
  /** The database to use on the server of DATABASE_URL instead of the one in the URL. */
  externalDatabase?: string;
  /** Fills a new database. @returns the created accounts */
  fill?: (fresh: FreshDatabase, show: ShowDetail) => Promise<DemoUser[]>;
}

/** What the rest of a stack needs: the database with the migrations, Auth and Storage. */
export interface Foundation {
  database: Database;
  /** The address of the database, for role postgres. */
  url: string;
  shards?: Database[] | undefined;
  /** The address of Auth and Storage for the edge functions, which is in the tokens. */
  supabaseUrl: string;
  authPort: number;
  storagePort: number;
}

/** A running stack. */
export interface RunningStack {
  info: StackInfo;
  database: Database;
  /**
   * Starts PgBouncer, and the edge functions again as its clients. The gateway then forwards requests to those.
   * @returns the port of PgBouncer
   */
  moveBehindPooler: () => Promise<number>;
  /**
   * Gives the running stack the data of another store with the same secrets: a stopped copy of this one.
   * @param replace puts them into the data directory of the stopped private server
   */
  replaceData: (replace: (directory: string) => Promise<void>) => Promise<void>;
  /** Starts the edge functions again, from other bundles. @param folder that of the bundles */
  serveBundles: (folder: string) => Promise<void>;
  /** Resolves when a part has exited too often to be restarted. The other parts are still running then. */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/** Starts the Auth server. @param siteUrl the address of the gateway */
export async function startAuth(
  place: StackPlace,
  { server, name, state }: Database,
  siteUrl: string,
  running: Running,
): Promise<{ port: number; part: Part }> {
  const port = await freePort();
  const settings = {
    port,
    databaseUrl: databaseUrl(server, "supabase_auth_admin", passwordOf(state, "supabase_auth_admin"), name),
    jwtSecret: state.jwt_secret,
    publishableKey: state.publishable_key,
    secretKey: state.secret_key,
    siteUrl,
    mails: place.mails,
  };
  const headers = { apikey: state.publishable_key };
  const part = await running.startPart({
    name: "The Auth server",
    command: process.execPath,
    args: [join(projectRoot, "scripts/bootstrap.mjs"), "auth/server.ts"],
    env: {
      LITE_AUTH_BCRYPT_COST: process.env.LITE_AUTH_BCRYPT_COST,
      AUTH_SETTINGS: JSON.stringify(settings),
      NO_COLOR: "1",
    },
    logFile: place.logFile("auth"),
    isReady: () =>
      fetch(`http://${host}:${port}/auth/v1/health`, { headers, signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.ok,
        () => false,
      ),
  });
  return { port, part };
}

/**
 * Starts all edge functions, as clients of a database server.
 * @param bundles the folder of their bundles, which is read each time a function starts
 */
export async function startFunctions(
  place: StackPlace,
  { server, name, state, poolerPort, standbyPort }: Database,
  { supabaseUrl, functionsUrl }: { supabaseUrl: string; functionsUrl: string },
  payments: LocalPayments,
  bundles: () => string,
  running: Running,
): Promise<ServedFunction[]> {
  const password = passwordOf(state, "store_api");
  // The migrations create the role without a password, so nobody can log in with it before this.
  await withConnection(superuserUrl(server, name), (sql) => sql.unsafe(`alter role store_api password '${password}'`));
  const environment = {
    STORE_DB_URL: databaseUrl({ ...server, port: poolerPort ?? server.port }, "store_api", password, name),
    ...(standbyPort && {
      STORE_DB_READ_URL: databaseUrl({ ...server, port: standbyPort }, "store_api", password, name),
    }),
    SUPABASE_URL: supabaseUrl,
    STORE_FUNCTIONS_URL: functionsUrl,
    STORE_JWT_SECRET: state.jwt_secret,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: state.secret_key }),
    STORE_WORKER_SECRET: passwordOf(state, "worker"),
    STORE_REAL_NAME_KEY: keyOf(state, "real_name"),
    STORE_REAL_NAME_INDEX_KEY: keyOf(state, "real_name_index"),
    STORE_WEBHOOK_KEY: keyOf(state, "webhooks"),
    ...payments.environment,
  };
  return Promise.all(
    functionNames().map((functionName) =>
      serveFunction(functionName, () => bundleOf(functionName, bundles()), place, environment, running),
    ),
  );
}

/**
 * Starts PgBouncer for the edge functions of a stack. Tests also reach their databases through it, as role postgres.
 * @returns its port
 */
async function startStackPooler(
  place: StackPlace,
  { server, name, state, kind }: Database,
  running: Running,
): Promise<number> {
  if (kind === "external")
    throw new Problem(
      "The pooler of the local stack works with the private database only, but DATABASE_URL is set.",
      "Unset DATABASE_URL, or use a DATABASE_URL that leads through a pooler.",
    );
  const { port } = await step("PgBouncer, in transaction mode", async (show) =>
    startPooler(
      {
        program: await ensurePooler(show),
        server,
        passwords: Object.fromEntries(["postgres", "store_api"].map((role) => [role, passwordOf(state, role)])),
        database: name,
        files: state.data_directory,
        logFile: place.logFile("pgbouncer"),
      },
      running,
    ),
  );
  return port;
}

/** Starts a streaming standby of the private database. @returns its port */
async function startStackStandby(
  place: StackPlace,
  { server, state, kind, major }: Database,
  running: Running,
): Promise<number> {
  const install = kind === "installed" ? findInstall(major) : undefined;
  if (!install)
    throw new Problem(
      "The standby of the local stack needs a private database on an installed Postgres.",
      "Unset DATABASE_URL and STORE_POSTGRES, or start without --replica.",
    );
  const port = await freePort();
  await step("A streaming standby", () =>
    startStandby({ place, install, primary: server, data: `${state.data_directory}.standby`, port }, running),
  );
  return port;
}

/** Starts the shards of a store, and the router in front of them. */
async function startStackShards(
  place: StackPlace,
  database: Database,
  count: number,
  running: Running,
): Promise<Database[]> {
  await step("PL/Proxy", ensurePlProxy);
  return startShards(place, database, count, running);
}

/**
 * Updates the port in the addresses that lead to the local stack: the share address, and the pictures of products and
 * banners. A different address was set by an administrator and is kept.
 */
async function updateLocalAddresses(url: string, supabaseUrl: string): Promise<void> {
  const address = `${supabaseUrl}${h5Site.path}`;
  const local = "http://127\\.0\\.0\\.1:[0-9]+";
  const pictures = `^${local}(?=${demoPicturesPath}/|${storagePath}/)`;
  await withConnection(url, async (sql) => {
    await sql`
      update app.settings set h5_share_url = ${address}, updated_at = now()
      where h5_share_url ~ ${`^${local}/h5$`} and h5_share_url <> ${address}`;
    await sql`
      update app.products set images = array(
        select regexp_replace(i.image, ${pictures}, ${supabaseUrl}) from unnest(images) with ordinality as i (image, position) order by i.position
      )
      where exists (select from unnest(images) as i (image) where i.image ~ ${pictures} and not i.image like ${`${supabaseUrl}/%`})`;
    await sql`
      update app.banners set image = regexp_replace(image, ${pictures}, ${supabaseUrl})
      where image ~ ${pictures} and not image like ${`${supabaseUrl}/%`}`;
  });
}

/** The path of an edge function behind the gateway. */
const functionPath = (name: string) => `/functions/v1/${name}`;

/** Starts the private servers, or those of DATABASE_URL, and sets up what is missing. */
async function ownFoundation(options: StackOptions, supabaseUrl: string, running: Running): Promise<Foundation> {
  const { place } = options;
  const database = await startDatabase(place, options.databasePort, running, options.externalDatabase);
  const { name, state } = database;
  const url = ownerUrl(database, name);
  if (!state.ready) {
    await step("What Supabase brings: roles, auth, extensions", async () => {
      await createPlatformRoles(database);
      await preparePlatform(database, name, { schedules: true, forTests: options.forTests });
    });
  }
  await step("Migrations, by the Supabase CLI", async (show) => {
    const applied = await migrateStore(url, place, show);
    // A migration changes so much in one transaction that the scheduler of pg_cron 1.4 can miss the invalidation of its
    // own table and never load the new jobs. A restart loads all jobs.
    if (applied) await database.restart?.();
  });
  const shardCount = options.shards ?? state.shards;
  const shards = shardCount === undefined ? undefined : await startStackShards(place, database, shardCount, running);
  const auth = await step("Auth server", () => startAuth(place, database, supabaseUrl, running));
  const storagePort = await step("Stand-in of Supabase Storage", () => startStorage(place, state, running));
  return { database, url, shards, supabaseUrl, authPort: auth.port, storagePort };
}

async function startParts(options: StackOptions, running: Running): Promise<Omit<RunningStack, "failed" | "stop">> {
  const { place } = options;
  const gatewayUrl = `http://${host}:${options.gatewayPort}`;
  const foundation = options.supabase
    ? await foundationOfSupabase(options.supabase, place)
    : await ownFoundation(options, gatewayUrl, running);
  const { url, shards } = foundation;
  let { database } = foundation;
  const { state } = database;
  await updateLocalAddresses(url, gatewayUrl);
  let bundles = await step("Bundles of the edge functions", buildFunctions);
  const payments = await step("Local payment provider", () => startPayments(place, state, gatewayUrl, running));
  if (options.pooler) database = { ...database, poolerPort: await startStackPooler(place, database, running) };
  if (options.replica) database = { ...database, standbyPort: await startStackStandby(place, database, running) };
  const addresses = { supabaseUrl: foundation.supabaseUrl, functionsUrl: `${gatewayUrl}/functions/v1` };
  const functions = await step("Edge functions", () =>
    startFunctions(place, database, addresses, payments, () => bundles, running),
  );
  const upstreams = [
    { prefix: "/auth/v1", port: foundation.authPort, strip: "" },
    { prefix: paymentsPath, port: payments.port, strip: "" },
    { prefix: storagePath, port: foundation.storagePort, strip: "" },
    ...functions.map((served) => ({ prefix: functionPath(served.name), port: served.port, strip: "/functions/v1" })),
  ];
  const sites: ServedSite[] = [];
  const sharePages = join(place.directory, "share_pages");
  mkdirSync(sharePages, { recursive: true });
  for (const site of [consoleSite, h5Site])
    sites.push({
      site,
      ...(options.watch
        ? { port: await step(`${site.title}, by Vite`, () => startVite(site, place, running)) }
        : { folder: await step(site.title, (show) => buildSite(site, show)) }),
      ...(site === h5Site && { pages: sharePages }),
    });
  running.addStop(
    await step("Gateway", () =>
      startGateway(options.gatewayPort, upstreams, { sites, publishableKey: state.publishable_key }),
    ),
  );

  if (!state.ready) {
    const { fill } = options;
    if (fill) {
      const fresh = { databaseUrl: url, supabaseUrl: gatewayUrl, secretKey: state.secret_key };
      state.users = await step("Demo data", (show) => fill(fresh, show));
    }
    state.ready = true;
    writeState(place, state);
  }
  if (await hasStandIn(url))
    running.addStop(await step("Scheduled jobs, run by this process in place of pg_cron", () => startScheduler(url)));
  running.addStop(await step("Pages of share links", () => startSharePages(sharePages, gatewayUrl)));
  const worker = functions.find((served) => served.name === "worker");
  if (worker) running.addStop(startWorkerCalls(worker.port, passwordOf(state, "worker")));
  const info: StackInfo = {
    supabase_url: gatewayUrl,
    functions_url: addresses.functionsUrl,
    console_url: `${gatewayUrl}${consoleSite.path}/`,
    h5_url: `${gatewayUrl}${h5Site.path}/`,
    docs_url: `${gatewayUrl}${documentationPath}`,
    database_url: url,
    ...(shards && { shard_urls: shards.map((shard) => ownerUrl(shard, shard.name)) }),
    publishable_key: state.publishable_key,
    secret_key: state.secret_key,
    jwt_secret: state.jwt_secret,
    users: state.users,
  };
  writePrivateFile(place, place.stackFile, info);
  running.addStop(async () => rmSync(place.stackFile, { force: true }));
  const moveBehindPooler = async () => {
    const poolerPort = await startStackPooler(place, database, running);
    const moved = await startFunctions(place, { ...database, poolerPort }, addresses, payments, () => bundles, running);
    for (const { name: moves, port } of moved)
      upstreams.find(({ prefix }) => prefix === functionPath(moves))!.port = port;
    return poolerPort;
  };
  const replaceData: RunningStack["replaceData"] = async (replace) => {
    await Promise.all([
      payments.part.restart(() => rmSync(payments.file, { force: true })),
      database.part?.restart(() => replace(state.data_directory)),
    ]);
    await updateLocalAddresses(url, gatewayUrl);
    rmSync(place.mails, { recursive: true, force: true });
  };
  const serveBundles = async (folder: string) => {
    bundles = folder;
    await Promise.all(functions.map(({ part }) => part.restart()));
  };
  return { info, database, moveBehindPooler, replaceData, serveBundles };
}

/** Starts only the private cluster, with its existing data. @throws Problem if there are none */
export async function startDatabaseOnly(
  place: StackPlace,
  databasePort: number,
): Promise<Pick<RunningStack, "failed" | "stop"> & { url: string }> {
  if (process.env.DATABASE_URL)
    throw new Problem("--database-only starts the private database, but DATABASE_URL is set.", "Unset DATABASE_URL.");
  if (!readState(place)?.ready)
    throw new Problem(`There is no database in ${place.directory}.`, "Run `npm start` to create one.");
  const running = new Running();
  try {
    const database = await startDatabase(place, databasePort, running);
    return { url: ownerUrl(database, database.name), failed: running.supervise(), stop: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** Starts all parts in order. If a part fails, stops the parts started before. @throws Problem that says what to do */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const running = new Running();
  try {
    const started = await startParts(options, running);
    return { ...started, failed: running.supervise(), stop: () => running.stop() };
  } catch (error) {
    // If a part has exited, its failure is the cause of the errors of other parts.
    const cause = await running.failureOfExitedPart();
    await running.stop();
    throw cause ?? error;
  }
}
