import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { createDataDirectory } from "../postgres/cluster.ts";
import { projectRoot, StackPlace } from "../ground/paths.ts";
import { freePort, host } from "../ground/ports.ts";
import type { Running } from "../ground/running.ts";
import { readState, type State, writeState } from "../ground/state.ts";
import { type CommandPlace, newCommandPlace } from "./command.ts";

/** Runs a command and fails with its output. @returns its output */
async function mustRun(at: CommandPlace, ...command: Parameters<CommandPlace["run"]>): Promise<string> {
  const { code, output } = await at.run(...command);
  if (code !== 0) throw new Error(output);
  return output;
}

/** The file with the output of the start that made the store. */
const outputFile = (directory: string) => join(directory, "output_of_start.txt");

/** What the first start of the store printed, which made its demo month. @param directory its folder */
export const outputOfStart = (directory: string): string => readFileSync(outputFile(directory), "utf8");

/** Creates a store with its demo month and stops it, so that `copyDemoStore` can copy its folder. */
export async function createDemoStore(): Promise<CommandPlace> {
  const at = await newCommandPlace();
  try {
    writeFileSync(outputFile(at.place.directory), await mustRun(at, "start", "--detach"));
    await mustRun(at, "stop");
    return at;
  } catch (error) {
    await at.run("stop");
    await at.remove();
    throw error;
  }
}

/** The state of a stopped store. @param directory its folder */
function stateOf(directory: string): State {
  const state = readState(new StackPlace(directory));
  if (!state) throw new Error(`There is no store in ${directory}.`);
  return state;
}

/** Copies a stopped store. @param directory the folder of the store */
export async function copyDemoStore(directory: string): Promise<CommandPlace> {
  const at = await newCommandPlace();
  const data = createDataDirectory(at.place);
  await copyData(directory, data);
  writeState(at.place, { ...stateOf(directory), data_directory: data });
  return at;
}

/** Replaces the data of a stopped copy by those of the store. @param data the data directory of the copy */
export async function replaceByDemoStore(directory: string, data: string): Promise<void> {
  rmSync(data, { recursive: true });
  await copyData(directory, data);
}

/** Keeps the owner of the files, who is the server's user. */
const copyData = (directory: string, data: string) =>
  execa("cp", ["-a", `${stateOf(directory).data_directory}/.`, data]);

/** What the process of the demo sites is told: its port, and the folder of the stopped store that it copies. */
export interface DemoSitesSettings {
  port: number;
  directory: string;
}

/**
 * Starts the process that lends running copies of a stopped store to test files (demo_sites.ts).
 * @returns its address
 */
export async function startDemoSites(place: StackPlace, directory: string, running: Running): Promise<string> {
  const settings: DemoSitesSettings = { port: await freePort(), directory };
  const address = `http://${host}:${settings.port}/`;
  await running.startPart({
    name: "The demo sites",
    command: process.execPath,
    args: [join(projectRoot, "scripts/bootstrap.mjs"), "../test/stack/demo_sites.ts"],
    env: {
      ...process.env,
      DATABASE_URL: "",
      // test/browser/plain_http.ci.test.ts opens them under these names, too.
      GATEWAY_HOSTS: "store.test,pictures.test",
      DEMO_SITES: JSON.stringify(settings),
      NO_COLOR: "1",
    },
    logFile: place.logFile("demo_sites"),
    isReady: () =>
      fetch(address, { method: "HEAD" }).then(
        () => true,
        () => false,
      ),
  });
  return address;
}
