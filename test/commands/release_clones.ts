import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { copySources } from "../support/copy_sources.ts";

export const { name, version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  name: string;
  version: string;
};

const identity = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Releaser"],
    [`GIT_${who}_EMAIL`, "releaser@example.com"],
  ]),
);

export async function git(at: string, ...args: string[]): Promise<string> {
  const { code, stdout, output } = await runCommand("git", args, { cwd: at, env: identity });
  expect(code, output).toBe(0);
  return stdout.trim();
}

/** Runs a command of this project in a clone. */
export function npm(at: string, command: string, ...args: string[]) {
  return runCommand(process.execPath, ["scripts/bootstrap.mjs", `commands/${command}.ts`, ...args], {
    cwd: at,
    env: { NO_COLOR: "1", STORE_TEST_CONTEXT: undefined, ...identity },
  });
}

/** Where the release of a clone is. */
export const released = (at: string) => join(at, "dist/release", version);

/**
 * Clones of these sources, in which the command runs as it does in a checkout of a tag. Nothing is built there yet. The
 * branch `dated` has the date of the version in its changelog. For the tests of one file.
 */
export function releaseClones() {
  const folder = mkdtempSync(join(tmpdir(), "store-release-"));
  const source = join(folder, "source");
  /**
   * The record of the released migrations. The version of these sources is not in it, whether it is released or not.
   */
  const releasesFile = join(source, "supabase/releases.json");
  const changelog = (title: string) =>
    writeFileSync(
      join(source, "CHANGELOG.md"),
      `# Changelog\n\n## ${title}\n\n- The first line.\n\n## 0.0.1\n\nOld.\n`,
    );

  beforeAll(async () => {
    await copySources(source);
    changelog(`${version} (unreleased)`);
    const recorded = JSON.parse(readFileSync(releasesFile, "utf8")) as { version: string }[];
    writeFileSync(releasesFile, JSON.stringify(recorded.filter((each) => each.version !== version)));
    await git(source, "init", "--quiet");
    await git(source, "add", "--all");
    await git(source, "commit", "--quiet", "--message", "Sources");
    await git(source, "switch", "--quiet", "--create", "dated");
    changelog(`${version} (2026-01-31)`);
    await git(source, "commit", "--quiet", "--all", "--message", "Date");
    await git(source, "switch", "--quiet", "-");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A clone with the packages of this checkout. @param umask of the user who makes it */
  async function clone(umask = "022"): Promise<string> {
    const place = mkdtempSync(join(folder, "clone-"));
    const { code, output } = await runCommand(
      "sh",
      ["-c", `umask ${umask} && git clone --quiet "$0" "$1"`, source, place],
      {
        env: identity,
      },
    );
    expect(code, output).toBe(0);
    symlinkSync(join(projectRoot, "node_modules"), join(place, "node_modules"));
    return place;
  }

  return { source, clone };
}
