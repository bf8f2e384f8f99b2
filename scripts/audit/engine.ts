import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, type Manifest } from "./manifest.ts";

/** Generated files: the types and functions of this checkout that decide. A test compares them with the migrations. */
export const engineFolder = join(import.meta.dirname, "engine");

/** Names and texts, the types first. */
export function readEngine(): Map<string, string> {
  const functions = readdirSync(join(engineFolder, "functions"))
    .toSorted()
    .map((name) => `functions/${name}`);
  return new Map(["types.sql", ...functions].map((name) => [name, readFileSync(join(engineFolder, name), "utf8")]));
}

/** Where the store of a bundle decides by other types or functions than this checkout, in sentences. */
export function engineFindings(engine: Map<string, string>, { files }: Manifest): string[] {
  const ofStore = Object.keys(files).filter((name) => name === "types.sql" || name.startsWith("functions/"));
  const isOther = (name: string) => {
    const text = engine.get(name);
    return text === undefined || files[name]?.sha256 !== hashOf(text);
  };
  return [...new Set([...engine.keys(), ...ofStore])]
    .filter(isOther)
    .map(
      (name) => `${name}: it is not that of this checkout. It was not run: what this checkout has instead has decided.`,
    );
}
