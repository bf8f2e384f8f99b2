import { readFileSync } from "node:fs";
import type { GeneratedFile } from "./openapi_files.ts";

/** A document whose table below `head` has these rows, each a line. What stands around the table stays. */
export function withTable(path: string, head: string, rows: string[]): GeneratedFile {
  const [before, after] = readFileSync(path, "utf8").split(head) as [string, string];
  return { path, content: `${before}${head}${rows.join("")}${after.replace(/^(?:\|.*\n)*/, "")}` };
}
