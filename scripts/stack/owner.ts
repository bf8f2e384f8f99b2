import { readFileSync, rmSync } from "node:fs";
import type { StackPlace } from "./paths.ts";
import { writePrivateFile } from "./state.ts";

/** The process that runs a stack. */
export interface Owner {
  pid: number;
  /** Tells the process from a later one with the same number; empty where the system does not say. */
  started: string;
  /** Empty where there is only a database. */
  supabase_url: string;
  phase: "starting" | "up" | "stopping";
}

/** What is left of a process that has ended, until its parent takes note; nothing else starts at such a time. */
const ended = "ended";

/** When a process started, in the kernel's own unit; empty where /proc is missing. */
function startOf(pid: number): string {
  try {
    // The name in parentheses may hold spaces, so count from behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    return fields[0] === "Z" ? ended : fields[19] ?? "";
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
  return startOf(pid) === started;
}

/** The process that holds a stack at this moment; undefined when there is none. */
export function currentOwner(place: StackPlace): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(place.ownerFile, "utf8")) as Owner;
    return isAlive(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that this process holds the stack. */
export function takeOwnership(place: StackPlace, supabaseUrl: string): void {
  const owner: Owner = { pid: process.pid, started: startOf(process.pid), supabase_url: supabaseUrl, phase: "starting" };
  writePrivateFile(place, place.ownerFile, owner);
}

/** Notes how far this process is with the stack that it holds. */
export function notePhase(place: StackPlace, phase: Owner["phase"]): void {
  const owner = currentOwner(place);
  if (owner?.pid === process.pid) writePrivateFile(place, place.ownerFile, { ...owner, phase });
}

/** Waits until no process holds the stack, or until `isEnough`. @returns who holds it then */
export async function untilStopped(place: StackPlace, seconds: number, isEnough: (owner: Owner) => boolean = () => false): Promise<Owner | undefined> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const owner = currentOwner(place);
    if (!owner || isEnough(owner) || Date.now() > deadline) return owner;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function giveUpOwnership(place: StackPlace): void {
  rmSync(place.ownerFile, { force: true });
}
