import { join } from "node:path";
import { execa } from "execa";
import { readState, writeState } from "../../scripts/stack/state.ts";
import { type CommandPlace, newCommandPlace } from "../stack/command.ts";

/** Runs a command and fails with its output. */
async function mustRun(at: CommandPlace, ...command: Parameters<CommandPlace["run"]>): Promise<void> {
  const { code, output } = await at.run(...command);
  if (code !== 0) throw new Error(output);
}

/** Creates a store with its demo month and stops it, so that `copyDemoStore` can copy its folder. */
export async function createDemoStore(): Promise<CommandPlace> {
  const at = await newCommandPlace();
  try {
    await mustRun(at, "start", "--detach");
    await mustRun(at, "stop");
    return at;
  } catch (error) {
    await at.run("stop");
    await at.remove();
    throw error;
  }
}

/** Copies a stopped store to a place of its own. @param directory of the store */
export async function copyDemoStore(directory: string): Promise<CommandPlace> {
  const at = await newCommandPlace();
  const { place } = at;
  await execa("cp", ["-a", `${directory}/.`, place.directory]);
  // The state names the data folder, which has moved.
  const state = readState(place);
  if (!state) throw new Error(`There is no store in ${directory}.`);
  writeState(place, { ...state, data_directory: join(place.directory, "postgres") });
  return at;
}
