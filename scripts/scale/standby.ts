import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { reachableInstall, serverArguments } from "../postgres/cluster.ts";
import { type DatabaseServer, superuserUrl, withConnection } from "../postgres/database_server.ts";
import type { Part } from "../ground/part.ts";
import type { StackPlace } from "../ground/paths.ts";
import { endOrphans } from "../postgres/orphans.ts";
import type { PostgresInstall } from "../postgres/install.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import type { Running } from "../ground/running.ts";
import { commandLine, makeServerDirectory, serverUser } from "../ground/server_user.ts";

export interface StandbyOptions {
  place: StackPlace;
  install: PostgresInstall;
  primary: DatabaseServer;
  /** A folder for its data, which is deleted first and when the stack stops. */
  data: string;
  port: number;
}

/**
 * Makes a streaming standby of a server from a base backup, and starts it.
 * @throws Problem if the programs for that are missing
 */
export async function startStandby(
  { place, install, primary, data, port }: StandbyOptions,
  running: Running,
): Promise<Part> {
  const user = serverUser();
  const { bin } = reachableInstall(place, install);
  const program = join(bin, "pg_basebackup");
  if (!existsSync(program))
    throw new Problem(
      "A standby needs pg_basebackup, which this Postgres does not have.",
      "Use an installed Postgres (STORE_POSTGRES=installed), or start without --replica.",
    );
  rmSync(data, { recursive: true, force: true });
  if (!makeServerDirectory(data, user))
    throw new Problem(
      `The server's user cannot write to ${data}.`,
      "Move this checkout to a folder that other users may enter, for example below /srv.",
    );
  running.addStop(async () => rmSync(data, { recursive: true, force: true }));
  const args = ["-D", data, "-R", "-X", "stream", "-c", "fast", "-d", superuserUrl(primary, "postgres")];
  const { code, output } = await runCommand(...commandLine(program, args, "SIGTERM", user), { cwd: "/" });
  if (code !== 0)
    throw new Problem(
      `pg_basebackup failed:\n${lastLines(output)}`,
      `The log of the server is ${place.logFile("postgres")}.`,
    );
  return running.startPart({
    name: "The standby",
    command: join(bin, "postgres"),
    args: serverArguments(data, install, port),
    beforeStart: () => endOrphans(data),
    logFile: place.logFile("standby"),
    isReady: () =>
      withConnection(superuserUrl({ ...primary, port }, "postgres"), (sql) => sql`select 1`).then(
        () => true,
        () => false,
      ),
    stopSignal: "SIGINT",
    user,
  });
}
