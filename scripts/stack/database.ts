import { createCluster, dataMajor, removeData, requireUsableData, startCluster } from "./cluster.ts";
import { type DatabaseServer, databaseUrl } from "./database_server.ts";
import { createExternalDatabase, externalServer } from "./external_server.ts";
import type { StackPlace } from "./paths.ts";
import { createPlatformRoles } from "./platform.ts";
import { freePort } from "./ports.ts";
import { findPostgresClient, type PostgresClient, providePostgres } from "./postgres_install.ts";
import { step } from "./progress.ts";
import { Running } from "./running.ts";
import { newState, passwordOf, readState, type State, writeState } from "./state.ts";
import { createTemplates, dropDatabases, type TemplateDatabases } from "./template_databases.ts";
import { withTemporaryPlace } from "./temporary_place.ts";

/** A running database server, and the database on it that is ours. */
export interface Database {
  server: DatabaseServer;
  client: PostgresClient;
  name: string;
  state: State;
  /** Only a server of our own can be restarted. */
  restart?: () => Promise<void>;
}

/** The address of a database on the server for role postgres, the owner of what we ship. */
export function ownerUrl({ server, state }: Database, database: string): string {
  return databaseUrl(server, "postgres", passwordOf(state, "postgres"), database);
}

/** Starts the private cluster, after creating it where there is none yet. */
async function startPrivateDatabase(place: StackPlace, port: number, running: Running): Promise<Database> {
  const known = readState(place);
  const install = await step("Postgres with pg_cron and pgTAP", (show) => providePostgres(show, dataMajor(known)));
  const state = known?.ready ? known : newState();
  if (state.ready) {
    requireUsableData(state, install, place);
  } else {
    await step("A private database cluster", async () => {
      await removeData(place, install);
      // Written first: whatever happens from here on, the next run knows that nothing is worth keeping.
      writeState(place, state);
      state.data_directory = await createCluster(place, state, install);
      writeState(place, state);
    });
  }
  const cluster = await step("Postgres is running", () => startCluster(place, state, install, port, running));
  return { ...cluster, client: install, name: "postgres", state };
}

/**
 * Starts a private cluster, or uses the server of DATABASE_URL where there is one.
 * @param externalDatabase what to use on that server instead of the database that the URL names
 */
export async function startDatabase(place: StackPlace, port: number, running: Running, externalDatabase?: string): Promise<Database> {
  const external = await externalServer();
  if (!external) return startPrivateDatabase(place, port, running);
  const state = readState(place) ?? newState(process.env.DATABASE_URL);
  writeState(place, state);
  return { server: external.server, client: findPostgresClient(), name: externalDatabase ?? external.database, state };
}

/** A server with the template databases and nothing else, for as long as `work` lasts. */
export function withTemporaryDatabases<T>(work: (database: Database, templates: TemplateDatabases) => Promise<T>): Promise<T> {
  return withTemporaryPlace(async (place) => {
    const running = new Running();
    const external = await createExternalDatabase();
    const prefix = external ?? "store_temporary";
    try {
      const database = await startDatabase(place, await freePort(), running, external);
      await createPlatformRoles(database.server, database.state, database.client);
      const templates = await step("Template databases", () => createTemplates(database, prefix));
      const result = await work(database, templates);
      if (external) await dropDatabases(database.server, external);
      return result;
    } finally {
      await running.stop();
    }
  });
}
