import { readFileSync } from "node:fs";
import { Problem } from "../ground/problem.ts";
import type { GeneratedFile } from "./openapi_files.ts";

/** A text whose table below `head` has these rows, each a line, or undefined if it has no such head. */
export function tableBelow(text: string, head: string, rows: string[]): string | undefined {
  const [before, after] = text.split(head);
  return after === undefined ? undefined : `${before}${head}${rows.join("")}${after.replace(/^(?:\|.*\n)*/, "")}`;
}

/** A document whose table below `head` has these rows, each a line. What stands around the table stays. */
export function withTable(path: string, head: string, rows: string[]): GeneratedFile {
  const content = tableBelow(readFileSync(path, "utf8"), head, rows);
  if (content === undefined) throw new Problem(`${path} has no table with this head:\n${head}`, "Put the head back.");
  return { path, content };
}
