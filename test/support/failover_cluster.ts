import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { vi } from "vitest";
import { settingsFor } from "../../scripts/stack/cluster.ts";
import { databaseUrl, localServer, platformSuperuser, superuserUrl, withConnection } from "../../scripts/stack/database_server.ts";
import { findFailoverManager } from "../../scripts/stack/failover_manager.ts";
import type { Part } from "../../scripts/stack/part.ts";
import { projectRoot, StackPlace } from "../../scripts/stack/paths.ts";
import { freePort, host } from "../../scripts/stack/ports.ts";
import type { PostgresInstall } from "../../scripts/stack/postgres_install.ts";
import { lastLines, runCommand } from "../../scripts/stack/run_command.ts";
import { Running } from "../../scripts/stack/running.ts";
import { commandLine, serverUser } from "../../scripts/stack/server_user.ts";
import { passwordOf, type State } from "../../scripts/stack/state.ts";
import { connect } from "./database.ts";
import { childPids, kill } from "./processes.ts";
import { startStore } from "./replicated_store.ts";

/** A server with a keeper, which starts it and asks the monitor what it is. */
export interface FailoverNode {
  name: string;
  port: number;
  part: Part;
}

/** Access for the monitor and for replication. Anybody on this machine has it, as long as the test runs. */
const ACCESS = [
  `host all pgautofailover_monitor ${host}/32 trust`,
  `host all pgautofailover_replicator ${host}/32 trust`,
  `host replication pgautofailover_replicator ${host}/32 trust`,
];

/** The settings of the monitor that docs/scale.md recommends. */
function documentedSettings(): string {
  const section = readFileSync(join(projectRoot, "docs/scale.md"), "utf8").split(/^## /m).find((text) => text.startsWith("Failover\n"));
  return /^```ini\n(.*?)^```/ms.exec(section!)![1]!;
}

/** A store on two servers that pg_auto_failover manages. */
export class FailoverCluster {
  readonly nodes: FailoverNode[] = [];

  private constructor(
    private readonly folder: string,
    private readonly install: PostgresInstall,
    private readonly running: Running,
    private readonly state: State,
    private readonly monitorPort: number,
  ) {}

  static async start(install: PostgresInstall): Promise<FailoverCluster> {
    const folder = mkdtempSync("/var/tmp/store-failover-");
    const running = new Running();
    try {
      own(folder);
      for (const name of ["home", "sockets", "one", "one/logs", "two", "monitor"]) own(join(folder, name));
      const first = await startStore(new StackPlace(join(folder, "one")), install, running, { schedules: true });
      const cluster = new FailoverCluster(folder, install, running, first.state, await freePort());
      // The manager writes postgresql.conf. What alter system sets has precedence, for example the libraries to load.
      await withConnection(superuserUrl(first.cluster.server, "postgres"), async (sql) => {
        for (const [name, value] of Object.entries(settingsFor(install.kind))) if (!PASSED_BY_MANAGER.has(name)) await sql.unsafe(`alter system set ${name} = ${value.split(",").map((each) => `'${each}'`).join()}`);
      });
      await first.cluster.part.stop();
      const access = join(first.state.data_directory, "pg_hba.conf");
      writeFileSync(access, `${ACCESS.join("\n")}\n${readFileSync(access, "utf8")}`);
      await cluster.startMonitor();
      await cluster.addNode("one", first.state.data_directory, first.cluster.server.port);
      await cluster.addNode("two", join(folder, "two/postgres"), await freePort());
      await cluster.untilComplete();
      return cluster;
    } catch (error) {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address of the store for its functions, or for its owner, with both servers. */
  url(role: "postgres" | "store_api"): string {
    const { port } = this.nodes[0]!;
    const servers = this.nodes.map((node) => `${host}:${node.port}`).join();
    return databaseUrl(localServer(port, ""), role, passwordOf(this.state, role), "postgres").replace(`${host}:${port}`, servers);
  }

  /** Opens a connection to one server as its superuser. */
  connect(node: FailoverNode): postgres.Sql {
    return connect(this.superuserUrl(node.port));
  }

  /** The server that the monitor wants to be the primary, and the other one. */
  async roles(): Promise<{ primary: FailoverNode; standby: FailoverNode }> {
    const states = await this.states();
    const primary = this.nodes.find(({ name }) => /primary|single/.test(states[name]!.assigned))!;
    return { primary, standby: this.nodes.find((node) => node !== primary)! };
  }

  /** Waits until there is a primary whose commits the standby confirms, or, without a quorum, one with a standby. */
  async untilComplete(): Promise<void> {
    await vi.waitUntil(async () => {
      const states = Object.values(await this.states()).map(({ reported, assigned }) => `${reported} ${assigned}`).sort();
      return states.join() === "primary primary,secondary secondary";
    }, { timeout: 120_000, interval: 100 });
  }

  /** Makes commits wait for the standby, or not. */
  async setSynchronous(isSynchronous: boolean): Promise<void> {
    for (const { name } of this.nodes) await this.manage("set", "node", "replication-quorum", "--pgdata", this.dataOf(name), String(isSynchronous));
    await this.untilComplete();
    const { primary } = await this.roles();
    await withConnection(this.superuserUrl(primary.port), (sql) =>
      vi.waitUntil(async () => (await sql`select from pg_settings where name = 'synchronous_standby_names' and (setting <> '') = ${isSynchronous}`).length > 0, { timeout: 60_000 }));
  }

  /** Stops the keeper of a server, the server and all their processes at once, and keeps their connections open, as if the machine had lost its network. */
  freeze({ part }: FailoverNode): void {
    for (const pid of processesOf(part)) process.kill(pid, "SIGSTOP");
  }

  /** Ends them, as if the machine had lost its power. */
  async kill({ part }: FailoverNode): Promise<void> {
    processesOf(part).forEach(kill);
    await part.exited;
  }

  /** Starts the keeper of a killed server again, as after a boot of the machine. */
  restart({ part }: FailoverNode): Promise<void> {
    return part.restart();
  }

  async stop(): Promise<void> {
    await this.running.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private superuserUrl(port: number): string {
    return superuserUrl(localServer(port, passwordOf(this.state, platformSuperuser)), "postgres");
  }

  private dataOf(name: string): string {
    return name === "one" ? this.state.data_directory : join(this.folder, name, "postgres");
  }

  private get environment(): NodeJS.ProcessEnv {
    const home = join(this.folder, "home");
    return {
      PATH: `${this.install.bin}:${process.env.PATH}`, HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data`, XDG_RUNTIME_DIR: `${home}/run`,
      PG_REGRESS_SOCK_DIR: join(this.folder, "sockets"), LC_ALL: "C.UTF-8", PGUSER: platformSuperuser, PGPASSWORD: passwordOf(this.state, platformSuperuser),
    };
  }

  private async manage(...args: string[]): Promise<void> {
    const { PGUSER, PGPASSWORD, ...plain } = this.environment;
    // The monitor has a superuser of its own.
    const env = args.includes("monitor") ? plain : { ...plain, PGUSER, PGPASSWORD };
    const { code, output } = await runCommand(...commandLine(findFailoverManager(this.install)!, args, "SIGTERM", serverUser()), { cwd: "/", env });
    if (code !== 0) throw new Error(`pg_autoctl ${args.join(" ")} failed:\n${lastLines(output, 40)}`);
  }

  /** Runs a keeper, or the monitor. */
  private run(name: string, data: string, url: string): Promise<Part> {
    return this.running.startPart({
      name,
      command: findFailoverManager(this.install)!,
      args: ["run", "--pgdata", data],
      env: this.environment,
      logFile: join(this.folder, `${name}.log`),
      isReady: () => withConnection(url, (sql) => sql`select 1`).then(() => true, () => false),
      timeoutSeconds: 60,
      user: serverUser(),
    });
  }

  private get monitorUrl(): string {
    return `postgres://autoctl_node@${host}:${this.monitorPort}/pg_auto_failover`;
  }

  private async startMonitor(): Promise<void> {
    const data = join(this.folder, "monitor/postgres");
    await this.manage("create", "monitor", "--pgdata", data, "--pgport", String(this.monitorPort), "--hostname", host, "--auth", "trust", "--no-ssl", "--pgctl", join(this.install.bin, "pg_ctl"));
    // By default, it accepts connections from everywhere.
    await this.manage("config", "set", "--pgdata", data, "postgresql.listen_addresses", host);
    appendFileSync(join(data, "postgresql.conf"), documentedSettings());
    await this.run("monitor", data, this.monitorUrl);
  }

  private async addNode(name: string, data: string, port: number): Promise<void> {
    const address = ["--pgport", String(port), "--pghost", host, "--listen", host, "--hostname", host];
    await this.manage("create", "postgres", "--pgdata", data, ...address, "--name", name, "--skip-pg-hba", "--no-ssl", "--pgctl", join(this.install.bin, "pg_ctl"), "--monitor", this.monitorUrl);
    await this.manage("config", "set", "--pgdata", data, "timeout.network_partition_timeout", "2");
    this.nodes.push({ name, port, part: await this.run(name, data, this.superuserUrl(port)) });
  }

  private async states(): Promise<Record<string, { reported: string; assigned: string }>> {
    const rows = await withConnection(this.monitorUrl, (sql) => sql<{ name: string; reported: string; assigned: string }[]>`
      select nodename as name, current_group_state::text as reported, assigned_group_state::text as assigned from pgautofailover.current_state('default')`);
    return Object.fromEntries(rows.map(({ name, ...state }) => [name, state]));
  }
}

/** The manager passes these settings to the server itself. */
const PASSED_BY_MANAGER = new Set(["listen_addresses", "unix_socket_directories"]);

/** The process of a part and all that it has started. */
function processesOf({ pid }: Part): number[] {
  const tree = (root: number): number[] => [root, ...childPids(root).flatMap(tree)];
  return tree(pid);
}

/** Creates a folder, if it does not exist, and gives it to the user of the servers. */
function own(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { account } = serverUser();
  if (account) chownSync(folder, account.uid, account.gid);
}
