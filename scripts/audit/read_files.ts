import { createHash } from "node:crypto";
import { createReadStream, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { MANIFEST, type Manifest, openRegular } from "./manifest.ts";

/** Takes a line of a file. @returns what is wrong with it */
export type TakeLine = (line: string) => Promise<string | undefined> | string | undefined;

/** Whether the files of a bundle are those that its manifest names, in sentences. It reads none of them. */
export function folderFindings(folder: string, { files }: Manifest): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, name: relative(folder, join(entry.parentPath, entry.name)) }))
    .filter(({ entry, name }) => name !== MANIFEST && !(entry.isDirectory() && name === "functions"));
  const names = new Set(entries.map(({ name }) => name));
  return [
    ...entries
      .filter(({ name }) => !Object.hasOwn(files, name))
      .map(({ name }) => `${name}: it is not in the manifest.`),
    ...entries
      .filter(({ entry, name }) => Object.hasOwn(files, name) && !entry.isFile())
      .map(({ name }) => `${name}: it is no file, but leads to something else.`),
    ...Object.keys(files)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: it is missing.`),
  ];
}

/**
 * Reads a file of a bundle, once: what is hashed is what is taken.
 * @param take gets each line, until one is wrong
 * @returns what is wrong with the file, in sentences
 */
export async function readFileOf(
  folder: string,
  name: string,
  expected: Manifest["files"][string],
  take: TakeLine,
): Promise<string[]> {
  const findings: string[] = [];
  const hash = createHash("sha256");
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let lines = 0;
  let rest = "";
  try {
    const path = join(folder, name);
    for await (const chunk of createReadStream(path, { fd: openRegular(path) }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop()!;
      for (const line of parts) {
        lines += 1;
        const wrong = findings.length === 0 ? await take(line) : undefined;
        if (wrong !== undefined) findings.push(`${name}, line ${lines}: ${wrong}`);
      }
    }
    rest += decoder.decode();
  } catch (error) {
    return [...findings, `${name}: it could not be read: ${(error as Error).message}`];
  }
  if (hash.digest("hex") !== expected.sha256)
    return [`${name}: it was changed, for it does not have the hash of the manifest.`];
  if (rest !== "") findings.push(`${name}: its last line has no end.`);
  if (lines !== expected.lines) findings.push(`${name}: it has ${lines} lines. The manifest says ${expected.lines}.`);
  return findings;
}
