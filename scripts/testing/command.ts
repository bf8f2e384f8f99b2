import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeData } from "../postgres/cluster.ts";
import { projectRoot, type StackPlace } from "../ground/paths.ts";
import { freePort } from "../ground/ports.ts";
import { anyInstall } from "../postgres/choice.ts";
import { runCommand } from "../ground/run_command.ts";
import { newPlace } from "./new_place.ts";
import { childPids } from "./processes.ts";

/** A separate folder and ports for a stack that a test starts with the real command. */
export interface CommandPlace {
  place: StackPlace;
  environment: Record<string, string>;
  /** Runs `npm start` or `npm stop` to completion. */
  run(command: "start" | "stop", ...args: string[]): Promise<{ code: number; output: string }>;
  /** Like `run`, and calls a function with every line of the output. */
  follow(
    onLine: (line: string) => void,
    command: "start" | "stop",
    ...args: string[]
  ): Promise<{ code: number; output: string }>;
  /** Deletes the folder, and data in the fallback folder. */
  remove(): Promise<void>;
}

/** The child processes of a process, with their ids and command lines. */
export function childrenOf(pid: number): { pid: number; command: string }[] {
  return childPids(pid).map((child) => ({ pid: child, command: readFileSync(`/proc/${child}/cmdline`, "utf8") }));
}

/** Polls until a condition that depends on other processes is true. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

export async function newCommandPlace(): Promise<CommandPlace> {
  const place = newPlace("store-test-");
  const environment = {
    STORE_LOCAL_DIR: place.directory,
    PORT: String(await freePort()),
    DATABASE_PORT: String(await freePort()),
    DATABASE_URL: "",
  };
  const follow: CommandPlace["follow"] = (onLine, command, ...args) =>
    runCommand(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), `commands/${command}.ts`, ...args], {
      env: { NO_COLOR: "1", ...environment },
      onLine,
    });
  return {
    place,
    environment,
    run: (command, ...args) => follow(() => undefined, command, ...args),
    follow,
    remove: async () => {
      await removeData(place, anyInstall());
      rmSync(place.directory, { recursive: true, force: true });
    },
  };
}
