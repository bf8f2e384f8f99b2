import { join } from "node:path";
import { type StackPlace, projectRoot } from "../ground/paths.ts";
import { freePort, host } from "../ground/ports.ts";
import type { Running } from "../ground/running.ts";
import type { State } from "../ground/state.ts";

/** The path of Storage, as in a hosted project. */
export const storagePath = "/storage/v1";

/** Starts the stand-in of Supabase Storage. @returns its port */
export async function startStorage(place: StackPlace, state: State, running: Running): Promise<number> {
  const port = await freePort();
  const settings = { port, secretKey: state.secret_key, directory: join(place.directory, "storage") };
  await running.startPart({
    name: "The stand-in of Supabase Storage",
    command: process.execPath,
    args: [join(projectRoot, "scripts/bootstrap.mjs"), "stack/storage/server.ts"],
    env: { LOCAL_STORAGE_SETTINGS: JSON.stringify(settings), NO_COLOR: "1" },
    logFile: place.logFile("storage"),
    isReady: () =>
      fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.body?.cancel().then(() => true) ?? true,
        () => false,
      ),
  });
  return port;
}
