import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";

export interface Prose {
  name: string;
  files: number;
  words: number;
}

const documents = () =>
  readdirSync(join(projectRoot, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => join("docs", path))
    .filter((path) => path.endsWith(".md"));

/**
 * The number of words in what people have written. A word stands between white space and has a letter or a digit: the
 * lines of tables are none.
 */
export function prose(): Prose[] {
  const groups = { "README.md": ["README.md"], "CHANGELOG.md": ["CHANGELOG.md"], "docs and decisions": documents() };
  return Object.entries(groups).map(([name, paths]) => ({
    name,
    files: paths.length,
    words: paths.reduce(
      (sum, path) =>
        sum +
        readFileSync(join(projectRoot, path), "utf8")
          .split(/\s+/)
          .filter((text) => /[\p{L}\p{N}]/u.test(text)).length,
      0,
    ),
  }));
}
