import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { git } from "../../scripts/ground/git.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { npm, releaseClones } from "../commands/release_clones.ts";

// What whoever takes over this repository meets first: a checkout that belongs to somebody else, and a CI of their own.

// actions/checkout#1048, actions/runner#2033, dorny/paths-filter#316: in a container job, the user of the machine has the folder, and root works in it.
describe("a checkout that belongs to another user", () => {
  const { clone } = releaseClones();
  /** Without root, nobody can give files away. git has a switch for its own tests, with which every folder belongs to somebody else. */
  const isRoot = process.getuid?.() === 0;

  it("is refused by git itself, and read by the commands of this project", async () => {
    const place = await clone();
    for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"]) vi.stubEnv(name, "/dev/null");
    if (isRoot) expect(await runCommand("chown", ["--recursive", "--no-dereference", "1001:1001", place])).toMatchObject({ code: 0 });
    else vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    expect(await runCommand("git", ["rev-parse", "HEAD"], { cwd: place })).toMatchObject({
      code: 128,
      output: expect.stringContaining("dubious ownership"),
    });
    expect(await git(["rev-parse", "HEAD"], place)).toMatchObject({ code: 0, output: expect.stringMatching(/^[0-9a-f]{40}\n$/) });
    const { code, output } = await npm(place, "release", "--dry-run");
    expect([code, output]).toEqual([0, expect.stringContaining("RELEASE_NOTES.md")]);
  });

  it("is asked by nothing but the function that excepts it", () => {
    const sources = ["scripts", "test"].flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name)),
    );
    const direct = sources.filter((file) =>
      /\b(?:runCommand|spawn|spawnSync|execa)\(\s*"git"/.test(readFileSync(join(projectRoot, file), "utf8")),
    );
    // The clones of release_clones.ts belong to whoever makes them.
    expect(direct.sort()).toEqual(["scripts/ground/git.ts", "test/commands/release_clones.ts", "test/field/adopters.test.ts"]);
  });
});
