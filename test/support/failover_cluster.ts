import { randomBytes } from "node:crypto";
import { appendFileSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { vi } from "vitest";
import { settingsFor } from "../../scripts/postgres/cluster.ts";
import {
  databaseUrl,
  localServer,
  platformSuperuser,
  superuserUrl,
  withConnection,
} from "../../scripts/postgres/database_server.ts";
import { findFailoverManager } from "../../scripts/scale/failover_manager.ts";
import type { Part } from "../../scripts/ground/part.ts";
import { projectRoot, StackPlace } from "../../scripts/ground/paths.ts";
import { freePort, host } from "../../scripts/ground/ports.ts";
import type { PostgresInstall } from "../../scripts/postgres/install.ts";
import { lastLines, runCommand } from "../../scripts/ground/run_command.ts";
import { Running } from "../../scripts/ground/running.ts";
import { commandLine, serverUser } from "../../scripts/ground/server_user.ts";
import { passwordOf, type State } from "../../scripts/ground/state.ts";
import { connect } from "../../scripts/testing/clone_database.ts";
import { newPlace } from "../../scripts/testing/new_place.ts";
import { childPids, kill } from "../../scripts/testing/processes.ts";
import { startStore } from "./replicated_store.ts";

/** The name of all servers, which their certificate has beside their address. */
const NAME = "localhost";

/** A server with a keeper, which starts it and asks the monitor what it is. */
export interface FailoverNode {
  name: string;
  port: number;
  part: Part;
}

/** What docs/scale.md says about setting up a cluster, so that the test runs its commands and settings. */
const documented = readFileSync(join(projectRoot, "docs/scale.md"), "utf8")
  .split(/^### /m)
  .find((text) => text.startsWith("Set up a cluster\n"))!;

/** The documented block, or the command within a line, that contains a text. */
function documentedCommand(text: string): string {
  const blocks = [
    ...documented.matchAll(/^```(?:ini)?\n(.*?)^```/gms),
    ...documented.matchAll(/: `(psql .*?)`$/gm),
  ].map(([, content]) => content!);
  const found = blocks.filter((block) => block.includes(text));
  if (found.length !== 1) throw new Error(`docs/scale.md has ${found.length} commands with ${text}`);
  return found[0]!;
}

/**
 * A store on two servers that pg_auto_failover manages, set up as docs/scale.md describes. What the document does on
 * three machines happens on one.
 */
export class FailoverCluster {
  readonly nodes: FailoverNode[] = [];

  private constructor(
    private readonly folder: string,
    private readonly install: PostgresInstall,
    private readonly running: Running,
    private readonly state: State,
    private readonly monitorPort: number,
    private readonly passwords = { autoctl_node: newPassword(), pgautofailover_replicator: newPassword() },
  ) {}

  static async start(install: PostgresInstall): Promise<FailoverCluster> {
    const folder = newPlace("store-failover-").directory;
    const running = new Running();
    try {
      own(folder);
      for (const name of ["home", "sockets", "tls", "one", "one/logs", "two", "monitor"]) own(join(folder, name));
      const first = await startStore(new StackPlace(join(folder, "one")), install, running, { schedules: true });
      const cluster = new FailoverCluster(folder, install, running, first.state, await freePort());
      await cluster.makeCertificates();
      cluster.writePasswords();
      await cluster.runDocumented("create role pgautofailover_replicator", {
        PGUSER: platformSuperuser,
        PGHOST: host,
        PGPORT: String(first.cluster.server.port),
      });
      // The manager writes postgresql.conf. What alter system sets has precedence, for example the libraries to load.
      await withConnection(superuserUrl(first.cluster.server, "postgres"), async (sql) => {
        for (const [name, value] of Object.entries(settingsFor(install.kind)))
          if (!PASSED_BY_MANAGER.has(name))
            await sql.unsafe(
              `alter system set ${name} = ${value
                .split(",")
                .map((each) => `'${each}'`)
                .join()}`,
            );
      });
      await first.cluster.part.stop();
      const access = join(first.state.data_directory, "pg_hba.conf");
      writeFileSync(access, `${cluster.here(documentedCommand("hostssl"))}${readFileSync(access, "utf8")}`);
      await cluster.startMonitor();
      await cluster.addNode("one", first.cluster.server.port);
      await cluster.addNode("two", await freePort());
      await cluster.untilComplete();
      return cluster;
    } catch (error) {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address of the store for its functions, with both servers. */
  get url(): string {
    const { port } = this.nodes[0]!;
    const servers = this.nodes.map((node) => `${NAME}:${node.port}`).join();
    return `${databaseUrl(localServer(port, ""), "store_api", passwordOf(this.state, "store_api"), "postgres").replace(`${host}:${port}`, servers)}?sslmode=verify-full`;
  }

  /** The certificate of the authority of all servers. */
  get authority(): string {
    return readFileSync(join(this.folder, "tls/authority.crt"), "utf8");
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
    await vi.waitUntil(
      async () => {
        const states = Object.values(await this.states())
          .map(({ reported, assigned }) => `${reported} ${assigned}`)
          .sort();
        return states.join() === "primary primary,secondary secondary";
      },
      { interval: 100 },
    );
  }

  /** Makes commits wait for the standby, or not. */
  async setSynchronous(isSynchronous: boolean): Promise<void> {
    for (const { name } of this.nodes)
      await this.shell(`pg_autoctl set node replication-quorum --pgdata ${this.dataOf(name)} ${isSynchronous}`, {
        PGUSER: platformSuperuser,
      });
    await this.untilComplete();
    const { primary } = await this.roles();
    await withConnection(this.superuserUrl(primary.port), (sql) =>
      vi.waitUntil(
        async () =>
          (
            await sql`select from pg_settings where name = 'synchronous_standby_names' and (setting <> '') = ${isSynchronous}`
          ).length > 0,
      ),
    );
  }

  /**
   * Stops the keeper of a server, the server and all their processes at once, and keeps their connections open, as if
   * the machine had lost its network.
   */
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
      PATH: `${this.install.bin}:${process.env.PATH}`,
      HOME: home,
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_DATA_HOME: `${home}/data`,
      XDG_RUNTIME_DIR: `${home}/run`,
      PG_REGRESS_SOCK_DIR: join(this.folder, "sockets"),
      LC_ALL: "C.UTF-8",
    };
  }

  /** The folders, names, addresses and passwords of a documented text on this machine. */
  private here(text: string): string {
    const of: Record<string, string> = {
      "/srv/monitor": this.dataOf("monitor"),
      "/srv/tls": join(this.folder, "tls"),
      "10.0.1.0/24": `${host}/32`,
      "DNS:one.internal": `DNS:${NAME},IP:${host}`,
      "one.internal": host,
      "monitor.internal/": `${host}:${this.monitorPort}/`,
      "monitor.internal": host,
    };
    return Object.entries(of)
      .reduce((changed, [there, local]) => changed.replaceAll(there, local), text)
      .replace(/\b10\.0\.0\.\d+/g, host)
      .replace(
        /(alter|create) role (\w+)(.*)<password>/,
        (_, verb: string, role: keyof typeof this.passwords, rest: string) =>
          `${verb} role ${role}${rest}${this.passwords[role]}`,
      );
  }

  /**
   * Runs the documented commands with a text in them as the user of the servers.
   * @param changes what is different on this machine
   */
  private runDocumented(
    text: string,
    env: NodeJS.ProcessEnv = {},
    changes: Record<string, string> = {},
  ): Promise<void> {
    return this.shell(
      Object.entries(changes).reduce(
        (changed, [from, to]) => changed.replaceAll(from, to),
        this.here(documentedCommand(text)),
      ),
      env,
    );
  }

  private async shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
    const { code, output } = await runCommand(...commandLine("bash", ["-euc", script], "SIGTERM", serverUser()), {
      cwd: join(this.folder, "tls"),
      env: { ...this.environment, ...env },
    });
    if (code !== 0) throw new Error(`${script} failed:\n${lastLines(output, 40)}`);
  }

  /** All servers have the same name here, so one certificate is enough. */
  private async makeCertificates(): Promise<void> {
    await this.runDocumented("-x509 -newkey");
    await this.runDocumented("x509 -req");
  }

  private writePasswords(): void {
    const passwords: Record<string, string> = {
      ...this.passwords,
      [platformSuperuser]: passwordOf(this.state, platformSuperuser),
    };
    own(
      join(this.folder, "home/.pgpass"),
      documentedCommand("*:*:*:").replace(
        /^(\*:\*:\*:)(\w+):.*$/gm,
        (_, all: string, role: string) => `${all}${role}:${passwords[role]}`,
      ),
    );
  }

  /** Runs a keeper, or the monitor. */
  private run(name: string, port: number): Promise<Part> {
    return this.running.startPart({
      name,
      command: findFailoverManager(this.install)!,
      args: ["run", "--pgdata", this.dataOf(name)],
      env: { ...this.environment, ...(name !== "monitor" && { PGUSER: platformSuperuser }) },
      logFile: join(this.folder, `${name}.log`),
      isReady: () =>
        this.shell(`pg_isready --host ${host} --port ${port}`).then(
          () => true,
          () => false,
        ),
      user: serverUser(),
    });
  }

  private async startMonitor(): Promise<void> {
    await this.runDocumented(
      "create monitor",
      {},
      { "--hostname": `--pgport ${this.monitorPort} --pgctl ${this.install.bin}/pg_ctl --hostname` },
    );
    appendFileSync(join(this.dataOf("monitor"), "postgresql.conf"), documentedCommand("health_check_period"));
    await this.run("monitor", this.monitorPort);
    await this.runDocumented("alter role autoctl_node", {
      PGHOST: join(this.folder, "sockets"),
      PGPORT: String(this.monitorPort),
    });
  }

  private async addNode(name: string, port: number): Promise<void> {
    const local = `--name ${name} --pgport ${port} --pghost ${host} --pgctl ${this.install.bin}/pg_ctl`;
    await this.runDocumented("create postgres", {}, { "/srv/postgres": this.dataOf(name), "--name one": local });
    this.nodes.push({ name, port, part: await this.run(name, port) });
  }

  private async states(): Promise<Record<string, { reported: string; assigned: string }>> {
    const sql = connect(
      `postgres://autoctl_node:${this.passwords.autoctl_node}@${NAME}:${this.monitorPort}/pg_auto_failover`,
      {
        ssl: { ca: this.authority },
      },
    );
    try {
      const rows = await sql<{ name: string; reported: string; assigned: string }[]>`
        select nodename as name, current_group_state::text as reported, assigned_group_state::text as assigned from pgautofailover.current_state('default')`;
      return Object.fromEntries(rows.map(({ name, ...state }) => [name, state]));
    } finally {
      await sql.end();
    }
  }
}

/** The manager passes these settings to the server itself. */
const PASSED_BY_MANAGER = new Set(["listen_addresses", "unix_socket_directories"]);

/** The process of a part and all that it has started. */
function processesOf({ pid }: Part): number[] {
  const tree = (root: number): number[] => [root, ...childPids(root).flatMap(tree)];
  return tree(pid);
}

/** Creates a folder, if it does not exist, or a file, and gives it to the user of the servers. */
function own(path: string, content?: string): void {
  if (content === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
  else writeFileSync(path, content, { mode: 0o600 });
  const { account } = serverUser();
  if (account) chownSync(path, account.uid, account.gid);
}

const newPassword = () => randomBytes(24).toString("hex");
