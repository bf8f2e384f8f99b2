import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import {
  createCluster,
  createDataDirectory,
  removeData,
  type RunningCluster,
  startCluster,
} from "../../scripts/postgres/cluster.ts";
import { databaseUrl, superuserUrl, withConnection } from "../../scripts/postgres/database_server.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import type { StackPlace } from "../../scripts/ground/paths.ts";
import { createPlatformRoles, preparePlatform } from "../../scripts/postgres/platform.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import type { PostgresInstall } from "../../scripts/postgres/install.ts";
import { lastLines, runCommand } from "../../scripts/ground/run_command.ts";
import { Running } from "../../scripts/ground/running.ts";
import { commandLine, serverUser } from "../../scripts/ground/server_user.ts";
import { newState, passwordOf, type State } from "../../scripts/ground/state.ts";
import { newPlace } from "../../scripts/testing/new_place.ts";
import { childPids } from "../../scripts/testing/processes.ts";

/** A server of a replicated store. */
export interface ReplicatedServer extends RunningCluster {
  data: string;
  /** The address of the store on this server, for a role; by default the owner of the store. */
  url(role?: "postgres" | "store_api"): string;
  superuserUrl: string;
  /**
   * Stops all its processes, so that it neither answers nor confirms anything, and its connections stay open. On Linux.
   */
  freeze(): void;
  thaw(): void;
}

/** Creates a store on a server of its own. @param options whether it has pg_cron, if the server has it */
export async function startStore(
  place: StackPlace,
  install: PostgresInstall,
  running: Running,
  options: { schedules: boolean },
): Promise<{ cluster: RunningCluster; state: State }> {
  const state = newState();
  state.data_directory = await createCluster(place, state, install);
  const cluster = await startCluster(place, state, install, await freePort(), running);
  const database = { ...cluster, kind: install.kind, major: install.major, name: "postgres", state };
  await createPlatformRoles(database);
  await preparePlatform(database, "postgres", { ...options, forTests: false });
  await applyMigrations(
    databaseUrl(cluster.server, "postgres", passwordOf(state, "postgres"), "postgres"),
    "Fix the migration and run the test again.",
  );
  await withConnection(superuserUrl(cluster.server, "postgres"), (sql) =>
    sql.unsafe(`alter role store_api password '${passwordOf(state, "store_api")}'`),
  );
  return { cluster, state };
}

/** A store on a server of its own, of which streaming standbys can be made. */
export class ReplicatedStore {
  private constructor(
    private readonly install: PostgresInstall,
    private readonly places: StackPlace[],
    private readonly running: Running,
    private readonly state: State,
    readonly primary: ReplicatedServer,
  ) {}

  static async start(install: PostgresInstall): Promise<ReplicatedStore> {
    const place = newServerPlace();
    const running = new Running();
    try {
      const { cluster, state } = await startStore(place, install, running, { schedules: false });
      return new ReplicatedStore(install, [place], running, state, describe(cluster, state));
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  /** Makes a standby from a base backup and starts it. @param name its application_name at the primary */
  async addStandby(name = "standby"): Promise<ReplicatedServer> {
    const place = newServerPlace();
    this.places.push(place);
    const data = createDataDirectory(place);
    const { server } = this.primary;
    const connection = `host=${server.host} port=${server.port} user=${server.superuser} password=${server.superuserPassword} application_name=${name}`;
    const args = [
      "--pgdata",
      data,
      "--dbname",
      connection,
      "--write-recovery-conf",
      "--checkpoint=fast",
      "--wal-method=stream",
      "--no-sync",
    ];
    const { code, output } = await runCommand(
      ...commandLine(join(this.install.bin, "pg_basebackup"), args, "SIGTERM", serverUser()),
      {
        cwd: "/",
      },
    );
    if (code !== 0) throw new Error(`pg_basebackup failed:\n${lastLines(output)}`);
    const state = { ...this.state, data_directory: data };
    const cluster = await startCluster(place, state, this.install, await freePort(), this.running);
    const standby = describe(cluster, state);
    // A stopped process would not end with the others.
    this.running.addStop(async () => standby.thaw());
    await this.untilStreaming(name);
    return standby;
  }

  /** Commits wait from now on until a standby with this name has confirmed them. */
  async requireConfirmation(name = "standby"): Promise<void> {
    await withConnection(this.primary.superuserUrl, async (sql) => {
      await sql.unsafe(`alter system set synchronous_standby_names = '${name}'`);
      await sql`select pg_reload_conf()`;
      await vi.waitUntil(async () => (await sql`select from pg_stat_replication where sync_state = 'sync'`).length > 0);
    });
  }

  private async untilStreaming(name: string): Promise<void> {
    await withConnection(this.primary.superuserUrl, (sql) =>
      vi.waitUntil(
        async () =>
          (await sql`select from pg_stat_replication where application_name = ${name} and state = 'streaming'`).length >
          0,
      ),
    );
  }

  async stop(): Promise<void> {
    await this.running.stop();
    for (const place of this.places) {
      await removeData(place, this.install);
      rmSync(place.directory, { recursive: true, force: true });
    }
  }
}

export function newServerPlace(): StackPlace {
  const place = newPlace("store-replicated-");
  mkdirSync(place.logs);
  return place;
}

function describe(cluster: RunningCluster, state: State): ReplicatedServer {
  const { server, part } = cluster;
  const signal = (which: NodeJS.Signals) =>
    [part.pid, ...childPids(part.pid)].forEach((pid) => process.kill(pid, which));
  return {
    ...cluster,
    data: state.data_directory,
    url: (role = "postgres") => databaseUrl(server, role, passwordOf(state, role), "postgres"),
    superuserUrl: superuserUrl(server, "postgres"),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  };
}
