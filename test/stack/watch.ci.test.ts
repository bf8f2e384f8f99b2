import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { readStackFile, type StackInfo } from "../../scripts/ground/stack_file.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";
import { connect } from "../support/index.ts";
import { copySources } from "../support/copy_sources.ts";

let at: CommandPlace;
let sources: string;
let info: StackInfo;

const run = (command: "start" | "stop", ...args: string[]) =>
  runCommand(process.execPath, ["scripts/bootstrap.mjs", `commands/${command}.ts`, ...args], {
    cwd: sources,
    env: { NO_COLOR: "1", ...at.environment },
  });

beforeAll(async () => {
  at = await newCommandPlace();
  sources = join(at.place.directory, "sources");
  await copySources(sources);
  symlinkSync(join(projectRoot, "node_modules"), join(sources, "node_modules"));
  const { code, output } = await run("start", "--watch", "--no-demo", "--detach");
  expect(code, output).toBe(0);
  info = readStackFile(at.place)!;
});
afterAll(async () => {
  await run("stop");
  await at.remove();
});

function change(path: string, from: string | RegExp, to: string): void {
  const file = join(sources, path);
  const before = readFileSync(file, "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

const log = () => readFileSync(at.place.logFile("start"), "utf8");

it("applies a function of sql/ when its file is saved", async () => {
  const sql = connect(info.database_url);
  const body = async () =>
    (await sql<{ body: string }[]>`select prosrc as body from pg_proc where oid = 'app.release_amount'::regproc`)[0]!
      .body;
  change("sql/08_ledger/rules_of_rows.sql", /(function app\.release_amount\([\s\S]*?\bas \$\$\n)/, "$1  -- Saved.\n");
  await expect.poll(body).toContain("-- Saved.");
  await sql.end();
});

it("says what is wrong with a file, and goes on", async () => {
  const file = "sql/08_ledger/rules_of_rows.sql";
  change(file, "  -- Saved.\n", "  selekt\n");
  await expect.poll(log).toContain('syntax error at or near "selekt"');
  change(file, "  selekt\n", "");
  await expect.poll(() => log().split("create or replace function app.release_amount").length).toBe(3);
});

it("serves the changed edge functions", async () => {
  const title = async () => {
    const response = await fetch(`${info.functions_url}/api/openapi.json`).catch(() => undefined);
    return response?.headers.get("x-store-source");
  };
  const before = await title();
  expect(before).toBeTruthy();
  change("functions/worker/index.ts", /$/, "// Saved.\n");
  await expect.poll(log).toContain("the edge functions serve functions/");
  expect(await title()).not.toBe(before);
});

it("serves the sites from their sources", async () => {
  const page = async () => (await fetch(`${info.console_url}src/main.tsx`)).text();
  expect(await page()).not.toContain("// Saved.");
  change("apps/console/src/main.tsx", /^/, "// Saved.\n");
  await expect.poll(page).toContain("// Saved.");
  expect(await (await fetch(`${info.console_url}config.json`)).json()).toMatchObject({
    publishable_key: info.publishable_key,
  });
  const shared = await fetch(`${info.supabase_url}/h5?spread=5`);
  expect([shared.status, shared.url]).toEqual([200, `${info.h5_url}?spread=5`]);
});
