import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { stack } from "../support/index.ts";

// The containers of `supabase start` do not run here, so what can be known without them is held: that the commands of
// the workflow exist in the Supabase CLI of package-lock.json with these options, and that the tests of the workflow
// run against the Auth server that its variables name.

const workflow = readFileSync(join(projectRoot, ".github/workflows/ci.yml"), "utf8");
const job = workflow.slice(workflow.indexOf("\n  supabase:"));
const commands = job.match(/npx supabase .*?(?=\)"| &|\n)/g)!;
/** The commands of the step of second factors, as GitHub gives them to bash. */
const [script] = [...job.matchAll(/run: \|\n((?: {10}.*\n)+)/g)]
  .map(([, text]) => text!)
  .filter((text) => text.includes("AUTH_URL")) as [string];
const binary = join(projectRoot, `node_modules/@supabase/cli-${process.platform}-${process.arch}/bin/supabase`);

const help = async (words: string[]) =>
  (await runCommand(binary, [...words, "--help"], { cwd: projectRoot, env: { NO_COLOR: "1" } })).output;

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
    expect(commands.length).toBeGreaterThanOrEqual(5);
    expect(job.replaceAll("npx supabase", "")).not.toMatch(/supabase\/setup-cli|\bsupabase (start|status|test|db)\b/);
  });

  it.each(commands)("gives options that exist: %s", async (command) => {
    const [name, words] = [command.match(/^npx supabase ([a-z ]+?)(?= -| \S*\/|$)/)![1]!, command.split(" ")];
    const options = words.filter((word) => word.startsWith("-"));
    const text = await help(name.split(" "));
    expect(text).toContain(`supabase ${name} [flags]`);
    for (const option of options) expect(text).toMatch(new RegExp(`^ .*${option}[ ,]`, "m"));
    if (words.includes("--exclude")) {
      const known = /Names of containers to not start\. \[(.*)\]/.exec(text)![1]!.split(",");
      expect(words[words.indexOf("--exclude") + 1]!.split(",").filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it("reads variables that the CLI prints, and runs tests that are there", () => {
    const read = [...script.matchAll(/=\$(\w+)/g)].map(([, name]) => name!);
    expect(read).toHaveLength(3);
    const cli = readFileSync(binary);
    for (const name of read) expect([name, cli.includes(`defaultName:"${name}"`)]).toEqual([name, true]);
  });
});

describe("the step of the workflow that tests the second factors of Auth", () => {
  const folder = mkdtempSync(join(tmpdir(), "store-workflow-"));
  beforeAll(() => {
    const { supabase_url, publishable_key, secret_key } = stack();
    // What `supabase status -o env` prints, of the Auth server of this run.
    writeFileSync(
      join(folder, "npx"),
      `#!/bin/sh
if [ "$1" = supabase ]; then
  printf 'API_URL="%s"\\nANON_KEY="%s"\\nSERVICE_ROLE_KEY="%s"\\n' "${supabase_url}" "${publishable_key}" "${secret_key}"
else
  exec "${join(projectRoot, "node_modules/.bin")}/$@"
fi
`,
    );
    chmodSync(join(folder, "npx"), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("needs nothing but that server and its keys", async () => {
    const { code, output } = await runCommand("bash", ["-e", "-c", script], {
      cwd: projectRoot,
      env: {
        NO_COLOR: "1",
        PATH: `${folder}:${process.env.PATH}`,
        STORE_TEST_CONTEXT: undefined,
        STORE_TEST_OUTCOME: undefined,
      },
    });
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests +\d+ passed \(\d+\)/)]);
  });
});
