import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";

export interface Lines {
  folder: string;
  written: number;
  /** Marked as generated in .gitattributes, without the migrations of released versions. */
  generated: number;
  /** Of the written lines of TypeScript and SQL, those of more than 120 characters. */
  long: number;
}

const LONGEST_LINE = 120;

const git = (args: string[], input?: string) =>
  execFileSync("git", args, {
    cwd: projectRoot,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    ...(input !== undefined && { input }),
  });

function releasedMigrations(): Set<string> {
  const releases = JSON.parse(readFileSync(join(projectRoot, "supabase/releases.json"), "utf8")) as {
    migrations: Record<string, string>;
  }[];
  return new Set(
    releases.flatMap(({ migrations }) => Object.keys(migrations)).map((name) => `supabase/migrations/${name}`),
  );
}

/** The lines of the tracked text files by folder; `.` is the root. */
export function lines(): Lines[] {
  const unwanted = releasedMigrations();
  const paths = git(["ls-files"])
    .trim()
    .split("\n")
    .filter((path) => !unwanted.has(path));
  const marked = new Set(
    git(["check-attr", "--stdin", "linguist-generated"], paths.join("\n"))
      .split("\n")
      .filter((line) => line.endsWith(": set"))
      .map((line) => line.split(": ")[0]!),
  );
  const folders = new Map<string, Lines>();
  for (const path of paths) {
    const folder = path.includes("/") ? path.split("/")[0]! : ".";
    const sums = folders.get(folder) ?? { folder, written: 0, generated: 0, long: 0 };
    const content = readFileSync(join(projectRoot, path), "utf8");
    if (content.includes("\0")) continue;
    const text = content.split("\n");
    if (marked.has(path)) sums.generated += text.length - 1;
    else {
      sums.written += text.length - 1;
      if (/\.(tsx?|sql)$/.test(path)) sums.long += text.filter((line) => line.length > LONGEST_LINE).length;
    }
    folders.set(folder, sums);
  }
  return [...folders.values()].sort((one, other) => one.folder.localeCompare(other.folder, "en"));
}
