import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

/** What CHANGELOG.md says about a version. */
export interface ReleaseNotes {
  /** Whether the version has its date, in place of "(unreleased)". */
  isDated: boolean;
  text: string;
}

/** @throws Problem if the changelog has no section of the version, or an empty one */
export function releaseNotes(version: string): ReleaseNotes {
  const [, ...sections] = readFileSync(join(projectRoot, "CHANGELOG.md"), "utf8").split(/^## /m);
  const section = sections.find((text) => text.split(/\s/)[0] === version);
  const [title = "", ...lines] = section?.split("\n") ?? [];
  const text = lines.join("\n").trim();
  if (text === "")
    throw new Problem(
      `CHANGELOG.md says nothing about ${version}.`,
      `Write a section "## ${version}" that says what changes for whoever updates.`,
    );
  return { isDated: !title.includes("unreleased"), text: `${text}\n` };
}
