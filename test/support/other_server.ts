import { mkdirSync, rmSync } from "node:fs";
import type postgres from "postgres";
import { createCluster, removeData, type RunningCluster, startCluster } from "../../scripts/postgres/cluster.ts";
import { databaseUrl, superuserUrl, withConnection } from "../../scripts/postgres/database_server.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { embeddedInstall } from "../../scripts/postgres/embedded.ts";
import { findInstall, type PostgresInstall } from "../../scripts/postgres/install.ts";
import { Running } from "../../scripts/ground/running.ts";
import { newState } from "../../scripts/ground/state.ts";
import { newPlace } from "./new_place.ts";
import { childPids } from "./processes.ts";

const DATABASE = "old_months";
const ROLE = "archivist";
const PASSWORD = "old months";

/** A server of its own with an empty database, for archived months. */
export class OtherServer {
  private constructor(
    private readonly place: ReturnType<typeof newPlace>,
    private readonly install: PostgresInstall,
    private readonly running: Running,
    private readonly cluster: RunningCluster,
  ) {}

  /** Starts one of another version than that of most stores, if this machine has two. */
  static async start(): Promise<OtherServer> {
    const install = (embeddedInstall() ?? findInstall())!;
    const place = newPlace("store-other-");
    mkdirSync(place.logs);
    const running = new Running();
    const state = newState();
    state.data_directory = await createCluster(place, state, install);
    const cluster = await startCluster(place, state, install, await freePort(), running);
    await withConnection(superuserUrl(cluster.server, "postgres"), async (sql) => {
      await sql.unsafe(`create role ${ROLE} login password '${PASSWORD}'`);
      await sql.unsafe(`create database ${DATABASE} owner ${ROLE}`);
    });
    return new OtherServer(place, install, running, cluster);
  }

  /** For the owner of its database. */
  get url(): string {
    return databaseUrl(this.cluster.server, ROLE, PASSWORD, DATABASE);
  }

  /** Prepares its database, and names it to a store. @param options of libpq, in place of the usual ones */
  async giveTo(store: Pick<postgres.Sql, "unsafe">, options: Record<string, string> = {}): Promise<void> {
    const [row] = await store.unsafe("select app.other_server_script() as script");
    const { host, port } = this.cluster.server;
    await withConnection(this.url, (sql) => sql.unsafe(row!.script as string));
    const server = { host, port: String(port), dbname: DATABASE, ...options };
    await store.unsafe("select app.set_other_server($1::text::jsonb, $2, $3)", [JSON.stringify(server), ROLE, PASSWORD]);
  }

  /** The postmaster and its children. */
  private get pids(): number[] {
    return [this.cluster.part.pid, ...childPids(this.cluster.part.pid)];
  }

  /** Stops all its processes, so that it neither answers nor ends a connection. On Linux. */
  freeze(): void {
    this.pids.forEach((pid) => process.kill(pid, "SIGSTOP"));
  }

  /** The postmaster is the last, so that none of the others, which can end at once, is gone before its turn. */
  thaw(): void {
    this.pids.reverse().forEach((pid) => process.kill(pid, "SIGCONT"));
  }

  goAway(): Promise<void> {
    return this.cluster.part.endProcess();
  }

  comeBack(): Promise<void> {
    return this.cluster.restart();
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await removeData(this.place, this.install);
    rmSync(this.place.directory, { recursive: true, force: true });
  }
}
