import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";

// The stacks of `supabase start` do not run here, so what can be known without them is held: that the commands of the
// workflow exist in the Supabase CLI of package-lock.json with these options. `test/stack/beside_supabase` runs
// `npm test -- --supabase` on a stack of this project.

const workflow = readFileSync(join(projectRoot, ".github/workflows/ci.yml"), "utf8");
const native = workflow.slice(workflow.indexOf("\n  native:"));
const job = workflow.slice(workflow.indexOf("\n  supabase:"), -native.length);
const commandsOf = (text: string) => text.match(/npx supabase .*?(?= >|\)"| &|\n)/g)!;
const binary = join(projectRoot, `node_modules/@supabase/cli-${process.platform}-${process.arch}/bin/supabase`);

const help = async (words: string[], env: Record<string, string>) =>
  (await runCommand(binary, [...words, "--help"], { cwd: projectRoot, env: { NO_COLOR: "1", ...env } })).output;

describe("the workflows", () => {
  const folder = join(projectRoot, ".github/workflows");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };

  it("test on the recommended Node and the two after it, and use the recommended one otherwise", () => {
    const recommended = Number(readFileSync(join(projectRoot, ".node-version"), "utf8"));
    expect(/^ +node: \[(.*)\]$/m.exec(workflow)![1]).toBe(`${recommended}, ${recommended + 2}, ${recommended + 4}`);
    expect(texts.filter((text) => /node-version: /.test(text))).toEqual([]);
  });

  // k0b3n4irb/opensnes#147: GitHub's runners have Node 24, and these are the first versions of each action that ask for
  // it.
  it("use actions that run on the Node of the runners", () => {
    const least: Record<string, number> = { checkout: 5, "setup-node": 5, "upload-artifact": 6 };
    const used = texts.flatMap((text) => [...text.matchAll(/uses: actions\/([\w-]+)@v(\d+)/g)]);
    expect(used.length).toBeGreaterThan(5);
    expect(texts.join("").match(/uses: /g)).toHaveLength(used.length);
    expect(used.filter(([, name, version]) => !(Number(version) >= least[name!]!)).map(([text]) => text)).toEqual([]);
  });

  it("call commands that exist", () => {
    const called = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!));
    expect(called).toEqual(expect.arrayContaining(["deploy", "release"]));
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("the workflow beside the Supabase CLI", () => {
  // bcgov/cas-ciip-portal#1828: tests that begin with rows of a seed fail, and the steps after them do not run.
  it("starts a store whose seed has no rows", () => {
    const { db } = parse(readFileSync(join(projectRoot, "supabase/config.toml"), "utf8")) as {
      db: { seed: { enabled: boolean; sql_paths: string[] } };
    };
    expect(db.seed).toEqual({ enabled: true, sql_paths: ["./seed.sql"] });
    expect(readFileSync(join(projectRoot, "supabase/seed.sql"), "utf8")).not.toMatch(/\b(?:insert|update|copy|call)\b/);
  });

  it("calls the CLI that every other test uses", () => {
    expect(commandsOf(job).length).toBeGreaterThanOrEqual(5);
    expect((job + native).replaceAll(/npx supabase|--supabase/g, "")).not.toMatch(
      /supabase\/setup-cli|\bsupabase (start|status|test|db)\b/,
    );
  });

  it.each([
    ...commandsOf(job).map((command) => [command, {}] as const),
    ...commandsOf(native).map((command) => [command, { SUPABASE_EXPERIMENTAL_STACK: "1" }] as const),
  ])("gives options that exist: %s %o", async (command, env) => {
    const [name, words] = [command.match(/^npx supabase ([a-z ]+?)(?= -| \S*\/|$)/)![1]!, command.split(" ")];
    const options = words.filter((word) => word.startsWith("-"));
    const text = await help(name.split(" "), env);
    expect(text).toContain(`supabase ${name} [flags]`);
    for (const option of options) expect(text).toMatch(new RegExp(`^ .*${option}[ ,]`, "m"));
    if (words.includes("--exclude")) {
      const known = /--exclude, .*\[(.*)\]/.exec(text)![1]!.split(/, ?/);
      expect(words[words.indexOf("--exclude") + 1]!.split(",").filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it("runs tests that are there, on what the CLI says of its stack", () => {
    expect(native).toContain("SUPABASE_EXPERIMENTAL_STACK: 1\n");
    for (const text of [job, native])
      expect(text).toMatch(/npx supabase status .*> (\S+)\n +npm test -- --supabase \1[ \n]/);
    const named = [...job.matchAll(/--supabase \S+ (\S+)/g)].map(([, path]) => path!);
    expect(named).toHaveLength(1);
    for (const path of named) expect(existsSync(join(projectRoot, path))).toBe(true);
    const cli = readFileSync(binary);
    for (const name of ["API_URL", "DB_URL", "PUBLISHABLE_KEY", "SECRET_KEY"])
      expect([name, cli.includes(`defaultName:"${name}"`), cli.includes(`.${name}=`)]).toEqual([name, true, true]);
  });
});
