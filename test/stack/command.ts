import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeData } from "../../scripts/stack/cluster.ts";
import { projectRoot, StackPlace } from "../../scripts/stack/paths.ts";
import { freePort } from "../../scripts/stack/ports.ts";
import { findInstall } from "../../scripts/stack/postgres_install.ts";
import { runCommand } from "../../scripts/stack/run_command.ts";

/** A folder and ports of its own for a stack that a test starts by the real command. */
export interface CommandPlace {
  place: StackPlace;
  environment: Record<string, string>;
  /** Runs `npm start` or `npm stop` and waits for its end. */
  run(command: "start" | "stop", ...args: string[]): Promise<{ code: number; output: string }>;
  /** The same, and tells every line as it comes. */
  follow(onLine: (line: string) => void, command: "start" | "stop", ...args: string[]): Promise<{ code: number; output: string }>;
  /** Deletes the folder, and the data that were put elsewhere because the server cannot enter it. */
  remove(): Promise<void>;
}

/** The processes that a process has started, by their number and command line. */
export function childrenOf(pid: number): { pid: number; command: string }[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .map((child) => ({ pid: Number(child), command: readFileSync(`/proc/${child}/cmdline`, "utf8") }));
}

/** Waits for something that other processes bring about. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

export async function newCommandPlace(): Promise<CommandPlace> {
  const directory = mkdtempSync(join(tmpdir(), "store-test-"));
  const environment = { STORE_LOCAL_DIR: directory, PORT: String(await freePort()), DATABASE_PORT: String(await freePort()), DATABASE_URL: "" };
  const place = new StackPlace(directory);
  const follow: CommandPlace["follow"] = (onLine, command, ...args) =>
    runCommand(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), `commands/${command}.ts`, ...args], { env: { NO_COLOR: "1", ...environment }, onLine });
  return {
    place,
    environment,
    run: (command, ...args) => follow(() => undefined, command, ...args),
    follow,
    remove: async () => {
      await removeData(place, findInstall());
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
