import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { type CommandPlace, newCommandPlace } from "./command.ts";

// The tour is for people, who have curl; the tests do without where it is missing.
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
/** The fenced blocks from a sentence on. */
const blocksAfter = (text: string) => [...readme.slice(readme.indexOf(text)).matchAll(/^```\n(.*?)^```$/gms)].map(([, block]) => block!);

describe("README.md", () => {
  it("names only files, folders and commands that there are", () => {
    const named = [...readme.matchAll(/`((?:sql|supabase|functions|client|console|scripts|test|docs)\/[\w./-]*)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { scripts: Record<string, string> };
    const commands = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("what README.md shows", () => {
  let at: CommandPlace;
  let output: string;
  beforeAll(async () => {
    at = await newCommandPlace();
    const start = await at.run("start", "--detach");
    expect(start.code, start.output).toBe(0);
    output = start.output;
  });
  afterAll(async () => {
    await at.run("stop");
    await at.remove();
  });

  it("is what npm start prints, but for the seconds", () => {
    // Long steps also say that they have begun.
    const unhurried = (text: string) => text.replace(/ {2}\d+\.\d s$/gm, "").replace(/^ {2}… .*\n/gm, "");
    expect(unhurried(output)).toContain(unhurried(blocksAfter("<!-- output of npm start -->")[0]!));
  });

  it.skipIf(!hasCurl)("is what the store answers", async () => {
    const [commands, answer] = blocksAfter("## Five minutes with it");
    const script = commands!.replaceAll("54321", at.environment.PORT!).replaceAll("./.local", at.place.directory);
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: projectRoot });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(answer!));
  });
});
