import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { currentOwner, type Owner } from "../../scripts/ground/owner.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import type { State } from "../../scripts/ground/state.ts";
import { childrenOf, type CommandPlace, eventually, newCommandPlace } from "../../scripts/testing/command.ts";

/**
 * A stack that the real command has started, and what kills its parts and sees them come back: for the tests of one
 * file.
 */
export function faultyStack() {
  let place: CommandPlace;
  beforeAll(async () => {
    place = await newCommandPlace();
    const { code, output } = await place.run("start", "--no-demo", "--detach");
    expect(code, output).toBe(0);
  });
  afterAll(async () => {
    await place.run("stop");
    await place.remove();
  });

  const at = () => place;
  const info = () => readStackFile(place.place)!;
  const owner = () => currentOwner(place.place) as Owner;
  const startLog = () => readFileSync(place.place.logFile("start"), "utf8");
  const occurrences = (text: string, of: string) => text.split(of).length - 1;
  /** The process id of a part, found by a word in its command line. */
  const part = (word: string) => childrenOf(owner().pid).find(({ command }) => command.includes(word))!.pid;
  const postmaster = () => {
    const { data_directory } = JSON.parse(readFileSync(place.place.stateFile, "utf8")) as State;
    return Number(readFileSync(join(data_directory, "postmaster.pid"), "utf8").split("\n")[0]);
  };
  const responds = (path: string) =>
    fetch(`${info().supabase_url}${path}`, { headers: { apikey: info().publishable_key } }).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Kills a part and waits until the start log reports that it is up again and its path responds. */
  async function comesBack(name: string, path: string, kill: () => unknown): Promise<void> {
    const before = occurrences(startLog(), `${name} is up again.`);
    await kill();
    await eventually(() => occurrences(startLog(), `${name} is up again.`) > before);
    await eventually(() => responds(path));
  }

  return { at, info, owner, startLog, part, postmaster, responds, comesBack };
}
