import { createCluster, dataMajor, removeData, requireUsableData, startCluster } from "./cluster.ts";
import { type DatabaseServer, databaseUrl } from "./database_server.ts";
import { externalServer } from "./external_server.ts";
import type { StackPlace } from "./paths.ts";
import { findPostgresClient, type PostgresClient, ensurePostgres } from "./postgres_install.ts";
import { step } from "./progress.ts";
import type { Running } from "./running.ts";
import { newState, passwordOf, readState, type State, writeState } from "./state.ts";

/** A running database server and the store's database on it. */
export interface Database {
  server: DatabaseServer;
  client: PostgresClient;
  name: string;
  state: State;
  /** Undefined for a server of DATABASE_URL, which we cannot restart. */
  restart?: () => Promise<void>;
}

/** The URL of a database for role postgres, the owner of the store. */
export function ownerUrl({ server, state }: Database, database: string): string {
  return databaseUrl(server, "postgres", passwordOf(state, "postgres"), database);
}

/** Starts the private cluster, and creates it first if it does not exist. */
async function startPrivateDatabase(place: StackPlace, port: number, running: Running): Promise<Database> {
  const known = readState(place);
  const install = await step("Postgres with pg_cron and pgTAP", (show) => ensurePostgres(show, dataMajor(known)));
  const state = known?.ready ? known : newState();
  if (state.ready) {
    requireUsableData(state, install, place);
  } else {
    await step("A private database cluster", async () => {
      await removeData(place, install);
      // Written first, so that after a failure the next run knows that the data are incomplete.
      writeState(place, state);
      state.data_directory = await createCluster(place, state, install);
      writeState(place, state);
    });
  }
  const cluster = await step("Postgres is running", () => startCluster(place, state, install, port, running));
  return { ...cluster, client: install, name: "postgres", state };
}

/**
 * Starts a private cluster, or uses the server of DATABASE_URL if it is set.
 * @param externalDatabase the database to use on that server instead of the one in the URL
 */
export async function startDatabase(place: StackPlace, port: number, running: Running, externalDatabase?: string): Promise<Database> {
  const external = await externalServer();
  if (!external) return startPrivateDatabase(place, port, running);
  const state = readState(place) ?? newState(process.env.DATABASE_URL);
  writeState(place, state);
  return { server: external.server, client: findPostgresClient(), name: externalDatabase ?? external.database, state };
}
