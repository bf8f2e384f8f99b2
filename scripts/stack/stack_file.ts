import { existsSync, readFileSync } from "node:fs";
import { localDirectory, StackPlace } from "./paths.ts";
import type { StackInfo } from "./stack.ts";

/** Reads stack.json: addresses and accounts of a running stack. @returns undefined if the stack is not running */
export function readStackFile({ stackFile } = new StackPlace(localDirectory)): StackInfo | undefined {
  return existsSync(stackFile) ? JSON.parse(readFileSync(stackFile, "utf8")) as StackInfo : undefined;
}
