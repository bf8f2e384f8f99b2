import { existsSync, readFileSync } from "node:fs";
import { localDirectory, StackPlace } from "./paths.ts";
import type { StackInfo } from "./stack.ts";

/** Addresses and accounts of the running local stack; undefined where none runs. */
export function readStackFile(): StackInfo | undefined {
  const { stackFile } = new StackPlace(localDirectory);
  return existsSync(stackFile) ? JSON.parse(readFileSync(stackFile, "utf8")) as StackInfo : undefined;
}
