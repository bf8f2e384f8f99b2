import { readFileSync } from "node:fs";
import { Problem } from "../ground/problem.ts";
import type { GeneratedFile } from "./openapi_files.ts";

/** A document whose table below `head` has these rows, each a line. What stands around the table stays. */
export function withTable(path: string, head: string, rows: string[]): GeneratedFile {
  const [before, after] = readFileSync(path, "utf8").split(head);
  if (after === undefined) throw new Problem(`${path} has no table with this head:\n${head}`, "Put the head back.");
  return { path, content: `${before}${head}${rows.join("")}${after.replace(/^(?:\|.*\n)*/, "")}` };
}
