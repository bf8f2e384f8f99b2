import { readFileSync, rmSync } from "node:fs";
import type { StackPlace } from "./paths.ts";
import { writePrivateFile } from "./state.ts";

/** The process that runs a stack. */
export interface Owner {
  pid: number;
  /**
   * Start time of the process, to distinguish it from a later one with the same id. Empty if the system does not
   * provide it.
   */
  started: string;
  /** Empty if only the database is running. */
  supabase_url: string;
  phase: "starting" | "up" | "stopping";
}

/** The start time of a zombie: a process that has ended but was not reaped by its parent yet. */
const ended = "ended";

/** The start time of a process in clock ticks; empty if /proc does not exist. */
function startTimeOf(pid: number): string {
  try {
    // The process name in parentheses may contain spaces, so the fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    return fields[0] === "Z" ? ended : (fields[19] ?? "");
  } catch {
    return "";
  }
}

function isAlive({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return startTimeOf(pid) === started;
}

/** The process that runs the stack; undefined if there is none. */
export function currentOwner(place: StackPlace): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(place.ownerFile, "utf8")) as Owner;
    return isAlive(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Records that this process runs the stack. */
export function takeOwnership(place: StackPlace, supabaseUrl: string): void {
  const owner: Owner = {
    pid: process.pid,
    started: startTimeOf(process.pid),
    supabase_url: supabaseUrl,
    phase: "starting",
  };
  writePrivateFile(place, place.ownerFile, owner);
}

/** Records the phase of the stack that this process runs. */
export function setPhase(place: StackPlace, phase: Owner["phase"]): void {
  const owner = currentOwner(place);
  if (owner?.pid === process.pid) writePrivateFile(place, place.ownerFile, { ...owner, phase });
}

/**
 * Waits until no process runs the stack, until `isDone`, or until the timeout.
 * @returns the process that then runs the stack
 */
export async function waitUntilStopped(
  place: StackPlace,
  seconds: number,
  isDone: (owner: Owner) => boolean = () => false,
): Promise<Owner | undefined> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const owner = currentOwner(place);
    if (!owner || isDone(owner) || Date.now() > deadline) return owner;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function releaseOwnership(place: StackPlace): void {
  rmSync(place.ownerFile, { force: true });
}
