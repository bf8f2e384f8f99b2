import { execa } from "execa";
import { createDataDirectory } from "../../scripts/postgres/cluster.ts";
import { StackPlace } from "../../scripts/ground/paths.ts";
import { readState, writeState } from "../../scripts/ground/state.ts";
import { type CommandPlace, newCommandPlace } from "./command.ts";

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

/** Copies a stopped store. @param directory the folder of the store */
export async function copyDemoStore(directory: string): Promise<CommandPlace> {
  const state = readState(new StackPlace(directory));
  if (!state) throw new Error(`There is no store in ${directory}.`);
  const at = await newCommandPlace();
  const data = createDataDirectory(at.place);
  // Keeps the owner of the files, who is the server's user.
  await execa("cp", ["-a", `${state.data_directory}/.`, data]);
  writeState(at.place, { ...state, data_directory: data });
  return at;
}
