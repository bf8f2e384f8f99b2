import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeData } from "../../scripts/stack/cluster.ts";
import { projectRoot, StackPlace } from "../../scripts/stack/paths.ts";
import { freePort } from "../../scripts/stack/ports.ts";
import { findInstall } from "../../scripts/stack/postgres_install.ts";

/** A folder and ports of its own for a stack that a test starts by the real command. */
export interface CommandPlace {
  place: StackPlace;
  environment: Record<string, string>;
  /** Runs `npm start` or `npm stop` and waits for its end. */
  run(command: "start" | "stop", ...args: string[]): Promise<{ code: number; output: string }>;
  /** Deletes the folder, and the data that were put elsewhere because the server cannot enter it. */
  remove(): Promise<void>;
}

export async function newCommandPlace(): Promise<CommandPlace> {
  const directory = mkdtempSync(join(tmpdir(), "store-test-"));
  const environment = { STORE_LOCAL_DIR: directory, PORT: String(await freePort()), DATABASE_PORT: String(await freePort()), DATABASE_URL: "" };
  const place = new StackPlace(directory);
  return {
    place,
    environment,
    run: (command, ...args) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), `commands/${command}.ts`, ...args], {
          env: { ...process.env, NO_COLOR: "1", ...environment },
          stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
        child.on("close", (code) => resolve({ code: code ?? 1, output }));
      }),
    remove: async () => {
      await removeData(place, findInstall());
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
