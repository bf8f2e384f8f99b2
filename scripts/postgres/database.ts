import { createCluster, dataOrigin, removeData, requireUsableData, startCluster } from "./cluster.ts";
import { type DatabaseServer, databaseUrl } from "./database_server.ts";
import { externalServer } from "./external_server.ts";
import { prepareForOwnServers } from "../ground/environment.ts";
import type { Part } from "../ground/part.ts";
import type { StackPlace } from "../ground/paths.ts";
import { choosePostgres } from "./choice.ts";
import type { PostgresInstall } from "./install.ts";
import { step } from "../ground/progress.ts";
import type { Running } from "../ground/running.ts";
import { type PostgresKind, newState, passwordOf, readState, type State, writeState } from "../ground/state.ts";

/** A running database server and the store's database on it. */
export interface Database {
  server: DatabaseServer;
  /** `external`: the server of DATABASE_URL. */
  kind: PostgresKind | "external";
  /** The major version of Postgres. */
  major: number;
  name: string;
  state: State;
  /** Undefined for a server of DATABASE_URL, which we cannot restart. */
  restart?: () => Promise<void>;
  /** The process of the server. Undefined for a server of DATABASE_URL. */
  part?: Part;
  /** The port of the pooler through which the edge functions connect, if there is one. */
  poolerPort?: number;
  /** The port of the streaming standby that answers reads, if there is one. */
  standbyPort?: number;
}

/** The URL of a database for role postgres, the owner of the store. */
export function ownerUrl({ server, state }: Database, database: string): string {
  return databaseUrl(server, "postgres", passwordOf(state, "postgres"), database);
}

/** Creates a cluster for a state without data. */
async function createPrivateCluster(place: StackPlace, state: State, install: PostgresInstall): Promise<void> {
  await removeData(place, install);
  // Written first, so that after a failure the next run knows that the data are incomplete.
  writeState(place, state);
  state.data_directory = await createCluster(place, state, install);
  state.postgres = install.kind;
  writeState(place, state);
}

async function startPrivateCluster(
  place: StackPlace,
  state: State,
  install: PostgresInstall,
  port: number,
  running: Running,
): Promise<Database> {
  const cluster = await startCluster(place, state, install, port, running);
  return { ...cluster, kind: install.kind, major: install.major, name: "postgres", state };
}

/** Starts the private cluster, and creates it first if it does not exist. */
async function startPrivateDatabase(place: StackPlace, port: number, running: Running): Promise<Database> {
  const known = readState(place);
  const install = await choosePostgres(dataOrigin(known));
  const state = known?.ready ? known : newState();
  if (state.ready) {
    requireUsableData(state, install, place);
  } else {
    await step("A private database cluster", () => createPrivateCluster(place, state, install));
  }
  return step("Postgres is running", () => startPrivateCluster(place, state, install, port, running));
}

/** Starts a new private cluster of the given server, without output. */
export async function startNewDatabase(
  place: StackPlace,
  install: PostgresInstall,
  port: number,
  running: Running,
): Promise<Database> {
  prepareForOwnServers();
  const state = newState();
  await createPrivateCluster(place, state, install);
  return startPrivateCluster(place, state, install, port, running);
}

/**
 * Starts the cluster of another database of a store, or creates it.
 * @param seed the secret of the store's passwords, for a new one
 * @throws Problem if an existing one has no usable data
 */
export async function startKeptDatabase(
  place: StackPlace,
  install: PostgresInstall,
  { seed, isNew }: { seed: string; isNew: boolean },
  port: number,
  running: Running,
): Promise<Database> {
  const known = isNew ? undefined : readState(place);
  const state = known ?? newState(seed);
  if (isNew) await createPrivateCluster(place, state, install);
  else requireUsableData(state, install, place);
  return startPrivateCluster(place, state, install, port, running);
}

/**
 * Starts a private cluster, or uses the server of DATABASE_URL if it is set.
 * @param externalDatabase the database to use on that server instead of the one in the URL
 */
export async function startDatabase(
  place: StackPlace,
  port: number,
  running: Running,
  externalDatabase?: string,
): Promise<Database> {
  prepareForOwnServers();
  const external = await externalServer();
  if (!external) return startPrivateDatabase(place, port, running);
  const state = readState(place) ?? newState(process.env.DATABASE_URL);
  writeState(place, state);
  return {
    server: external.server,
    kind: "external",
    major: external.major,
    name: externalDatabase ?? external.database,
    state,
  };
}
