import { join } from "node:path";
import { projectRoot, type StackPlace } from "../ground/paths.ts";
import { freePort, host } from "../ground/ports.ts";
import type { Running } from "../ground/running.ts";
import { type StaticSite, viteCli } from "./static_site.ts";

/**
 * Serves a site from its sources by the development server of Vite, below its path of the gateway. Pages show a change
 * as soon as the file is saved: they hear of it from Vite itself, whose port the gateway does not forward.
 * @returns the port
 */
export async function startVite(
  { title, source, path }: StaticSite,
  place: StackPlace,
  running: Running,
): Promise<number> {
  const port = await freePort();
  const options = [
    "--base",
    `${path}/`,
    "--host",
    host,
    "--port",
    String(port),
    "--strictPort",
    "--clearScreen",
    "false",
  ];
  await running.startPart({
    name: `Vite for the ${title}`,
    command: process.execPath,
    args: [viteCli, join(projectRoot, source), ...options],
    env: { STORE_LOCAL_DIR: place.directory, NO_COLOR: "1" },
    logFile: place.logFile(`vite_${path.slice(1)}`),
    isReady: () =>
      fetch(`http://${host}:${port}${path}/`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.ok,
        () => false,
      ),
  });
  return port;
}
