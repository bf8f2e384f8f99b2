import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runSupabaseCli } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { connect, rolledBack, stack } from "../support/index.ts";

const document = readFileSync(join(projectRoot, "docs/deploy.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const blocks = (language: string) =>
  [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, name]) => name === language).map(([, , text]) => text!);
/** The lines of the document's commands. */
const commands = blocks("").flatMap((block) => block.trim().split("\n"));
const npmRun = (name: string) =>
  commands.filter((line) => line.startsWith(`npm run ${name} `) || line === `npm run ${name}`);

const { database_url, supabase_url, publishable_key, secret_key } = stack();
const sql = connect(database_url);
afterAll(() => sql.end());

/** The project that the document's placeholders stand for: the stack of the tests. */
const environment = {
  DATABASE_URL: database_url,
  SUPABASE_URL: supabase_url,
  SUPABASE_SECRET_KEY: secret_key,
  SUPABASE_PUBLISHABLE_KEY: publishable_key,
  STORE_DB_URL: "",
};
const inProject = (line: string) =>
  line
    .replace("--project <ref>", `--project ${supabase_url}`)
    .replace("you@example.com", `deploy-${process.pid}@example.com`);

/** Runs a line of the document as a shell does. `npm run` is replaced by what it runs. */
const runLine = (line: string) => {
  const name = /^npm run ([\w:-]+)/.exec(line)![1]!;
  return runCommand("bash", ["-c", inProject(line).replace(/^npm run [\w:-]+( --)?/, scripts[name]!)], {
    cwd: projectRoot,
    env: { NO_COLOR: "1", ...environment },
  });
};

describe("docs/deploy.md", () => {
  it("names only commands of this project, and files that its links lead to", () => {
    const named = [...document.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const links = [...document.matchAll(/\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [link, file, anchor] of links) {
      const path = file
        ? join(dirname(join(projectRoot, "docs/deploy.md")), file)
        : join(projectRoot, "docs/deploy.md");
      expect(existsSync(path), link).toBe(true);
      const titles = [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title!.toLowerCase().replaceAll(" ", "-"),
      );
      if (anchor) expect(titles, link).toContain(anchor);
    }
  });

  it("uses commands and options of the Supabase CLI that exist", async () => {
    const calls = commands
      .filter((line) => line.startsWith("npx supabase "))
      .map((line) => line.replace(/^npx supabase /, ""));
    expect(calls.length).toBeGreaterThan(3);
    for (const call of new Set(
      calls.map((line) => [/^(?:link|login|\w+ \w+)/.exec(line)![0], ...(line.match(/ --[\w-]+/g) ?? [])].join("\0")),
    )) {
      const [name, ...options] = call.split("\0");
      const { code, output } = await runSupabaseCli([...name!.split(" "), "--help"]);
      expect([name, code]).toEqual([name, 0]);
      for (const option of options) expect(output, call).toContain(option.trim());
    }
  });

  it("passes no secret as an argument, which every user of the machine could read", () => {
    for (const line of commands.filter((each) => !/^(export|read) /.test(each)))
      expect(line).not.toMatch(/password|secret_|SECRET=|TOKEN=|STORE_DB_URL=\S*:/);
    expect(commands).toContain("npx supabase secrets set --env-file store.env");
  });

  it("has a statement that sets the password of the functions", async () => {
    const [statement] = blocks("sql");
    expect(statement).toMatch(/^alter role store_api password /);
    // Roles belong to the server, so the change must not be kept.
    await rolledBack(sql, (transaction) => transaction.unsafe(statement!));
  });

  it("adds an administrator, after whom the doctor and the configuration check find no error", async () => {
    for (const line of npmRun("admin")) {
      const { code, output } = await runLine(line);
      expect(code, output).toBe(0);
    }
    expect(npmRun("doctor").length).toBeGreaterThan(1);
    for (const line of [npmRun("doctor")[0]!, npmRun("hjf:verify-agent-config")[0]!]) {
      const { code, output } = await runLine(line);
      expect(code, output).toBe(0);
      expect(output).toMatch(/, 0 errors/);
    }
  });

  it("replays orders under a draft plan", async () => {
    const { code, output } = await runLine(npmRun("simulate")[0]!);
    expect(code, output).toBe(0);
  });
});
