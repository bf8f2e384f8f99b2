import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runSupabaseCli } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { cloneDatabase, connect, rolledBack, stack } from "../support/index.ts";

const document = readFileSync(join(projectRoot, "docs/deploy.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { scripts: Record<string, string> };
const blocks = (language: string) =>
  [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, name]) => name === language).map(([, , text]) => text!);
/** The lines of the document's commands. */
const commands = blocks("").flatMap((block) => block.trim().split("\n"));
const npmRun = (name: string) => commands.filter((line) => line.startsWith(`npm run ${name} `) || line === `npm run ${name}`);

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
  line.replace("--project <ref>", `--project ${supabase_url}`).replace("you@example.com", `deploy-${process.pid}@example.com`);

/** Runs a line of the document as a shell does. `npm run` is replaced by what it runs. */
const runLine = (line: string) => {
  const name = /^npm run ([\w:-]+)/.exec(line)![1]!;
  return runCommand("bash", ["-c", inProject(line).replace(/^npm run [\w:-]+( --)?/, scripts[name]!)], {
    cwd: projectRoot,
    env: { NO_COLOR: "1", ...environment },
  });
};

/** Stand-ins of the tables of Supabase Storage, which the local stack does not have. */
const STORAGE = `
  create schema storage;
  create table storage.buckets (id text primary key, name text not null, public boolean, file_size_limit bigint, allowed_mime_types text[]);
  create table storage.objects (id uuid primary key default gen_random_uuid(), bucket_id text, name text, owner_id text);
  alter table storage.objects enable row level security;
  create function storage.foldername(name text) returns text[] language sql immutable as $$ select (string_to_array(name, '/'))[:array_length(string_to_array(name, '/'), 1) - 1] $$;
  grant usage on schema storage to authenticated;
  grant execute on function storage.foldername(text) to authenticated;
  grant select, insert, delete on storage.objects to authenticated;
`;

describe("docs/deploy.md", () => {
  it("names only commands of this project, and files that its links lead to", () => {
    const named = [...document.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const links = [...document.matchAll(/\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [link, file, anchor] of links) {
      const path = file ? join(dirname(join(projectRoot, "docs/deploy.md")), file) : join(projectRoot, "docs/deploy.md");
      expect(existsSync(path), link).toBe(true);
      const titles = [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(" ", "-"));
      if (anchor) expect(titles, link).toContain(anchor);
    }
  });

  it("uses commands and options of the Supabase CLI that exist", async () => {
    const calls = commands.filter((line) => line.startsWith("npx supabase ")).map((line) => line.replace(/^npx supabase /, ""));
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

  it("has policies that give every account a folder of its own in the bucket of avatars", async () => {
    const clone = await cloneDatabase();
    const owner = connect(clone.url);
    try {
      await owner.unsafe(STORAGE);
      await owner.unsafe(blocks("sql")[1]!);
      const [mine, other] = [randomUUID(), randomUUID()];
      const asMember = (statement: string) =>
        owner.begin(async (transaction) => {
          await transaction`select set_config('request.jwt.claims', ${JSON.stringify({ sub: mine, role: "authenticated" })}, true)`;
          await transaction.unsafe("set local role authenticated");
          return transaction.unsafe(statement);
        });
      const add = (name: string, bucket = "avatars") => `insert into storage.objects (bucket_id, name) values ('${bucket}', '${name}')`;
      await owner.unsafe(add(`${other}/face.png`));
      await asMember(add(`${mine}/face.png`));
      for (const name of [`${other}/mine.png`, "face.png", `x/${mine}/face.png`])
        await expect(asMember(add(name))).rejects.toThrow("row-level security");
      await expect(asMember(add(`${mine}/face.png`, "another"))).rejects.toThrow("row-level security");
      expect((await asMember("select name from storage.objects")).map(({ name }) => name)).toEqual([`${mine}/face.png`]);
      await asMember("delete from storage.objects");
      expect((await owner`select name from storage.objects`).map(({ name }) => name)).toEqual([`${other}/face.png`]);
    } finally {
      await owner.end();
      await clone.drop();
    }
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
