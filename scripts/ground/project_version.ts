import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./paths.ts";

/** The version of this folder, as package.json has it. */
export function projectVersion(): string {
  return (JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string }).version;
}
