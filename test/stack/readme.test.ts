import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appPicture,
  consolePictures,
  labelsOf,
  showPicture,
  shownLabelsFile,
  withApp,
  withConsole,
} from "../../scripts/pictures/readme_pictures.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { sourceFiles } from "../../scripts/postgres/source_database.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { run } from "../commands/run.ts";
import { launchTestBrowser } from "../browser/test_browser.ts";
import { lacking, testContext } from "../../scripts/testing/context.ts";
import { connect, skipFor } from "../support/index.ts";
import type { CommandPlace } from "../../scripts/testing/command.ts";
import { copyDemoStore, outputOfStart } from "../../scripts/testing/demo_store.ts";

const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
const architecture = readFileSync(join(projectRoot, "docs/architecture.md"), "utf8");
/** The fenced code blocks of README.md after a given text. */
const blocks = (document: string, language: string, text: string) =>
  [...document.slice(document.indexOf(text)).matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, fence]) => fence === language)
    .map(([, , block]) => block!);
const blocksAfter = (text: string) => blocks(readme, "", text);

describe("README.md", () => {
  it("names only existing files, folders and commands", () => {
    const named = [
      ...readme.matchAll(/`((?:sql|supabase|functions|client|console|h5|web|scripts|test|docs)\/[\w./-]*)`/g),
    ].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const commands = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("shows existing folders and functions in its diagrams", () => {
    const diagrams = [...blocks(readme, "mermaid", "# "), ...blocks(architecture, "mermaid", "# ")].join("");
    const folders = [...diagrams.matchAll(/\b(?:sql|supabase|functions|apps)\/[\w/]*/g)].map(([path]) => path);
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    const named = [...(diagrams + architecture).matchAll(/\b(app|api)\.([a-z_]+)/g)].map(
      ([, schema, name]) => `${schema}.${name}`,
    );
    expect(named.length).toBeGreaterThan(10);
    const sources = sourceFiles()
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    expect(
      named.filter(
        (name) =>
          !new RegExp(`create (or replace )?(table|function|procedure)( if not exists)? ${name}\\b`).test(sources),
      ),
    ).toEqual([]);
  });

  it("requires the Node version of package.json, recommends that of .node-version, and starts with a clone", () => {
    const { engines } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
      engines: { node: string };
    };
    const recommended = readFileSync(join(projectRoot, ".node-version"), "utf8").trim();
    expect(readme).toContain(`Node ${recommended} or newer`);
    expect(readme).toContain(
      `The two commands also run on Node ${engines.node.replace(">=", "")}, which is no longer supported`,
    );
    expect(blocksAfter("## The two commands")[0]).toMatch(/^git clone .*\ncd .*\nnpm start\n$/);
  });

  it("uses addresses from stack.json and the Supabase CLI of the lock file in its commands", () => {
    for (const block of blocksAfter("# ")) expect(block).not.toContain("54321");
    const calls = [...readme.matchAll(/(npx )?supabase (?:link|db|secrets|functions|migration) /g)];
    expect(calls.filter(([, npx]) => !npx).map(([call]) => call)).toEqual([]);
  });
});

describe("the pictures of README.md", () => {
  it("are the ones that `npm run gen -- --pictures` takes", () => {
    const shown = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file]) => file!);
    expect(shown.sort()).toEqual([appPicture, ...consolePictures].map(({ file }) => file).sort());
    for (const file of shown)
      expect(PNG.sync.read(readFileSync(join(projectRoot, file))).width, file).toBeGreaterThan(600);
  });
});

describe("the output and examples in README.md", () => {
  let at: CommandPlace;
  /** Why figures of the month differ from those of the example; undefined if they do not. */
  let differs: string | undefined;
  const labels = JSON.parse(readFileSync(shownLabelsFile, "utf8")) as Record<string, string[]>;
  const outdated =
    "The pages have changed. With a running stack, `npm run gen -- --pictures` takes the pictures again.";
  beforeAll(async () => {
    at = await copyDemoStore(testContext().demoStore!);
    const { code, output } = await at.run("start", "--detach");
    expect(code, output).toBe(0);
    const sql = connect(readStackFile(at.place)!.database_url);
    const [days] = await sql`
      select app.business_day(min(applied_at)) <> app.business_day(now()) as changed from app.schema_versions`;
    await sql.end();
    if (days!.changed) differs = "the business day has ended since the demo month was made, and its release has run";
  });
  afterAll(async () => {
    await at.run("stop");
    await at.remove();
  });

  skipFor(it, lacking("pg_cron"))("match the output of npm start, except for the seconds", ({ skip }) => {
    if (differs) skip(differs);
    // Long steps also print a line when they start.
    const unhurried = (text: string) => text.replace(/ {2}\d+\.\d s$/gm, "").replace(/^ {2}… .*\n/gm, "");
    expect(unhurried(outputOfStart(testContext().demoStore!))).toContain(
      unhurried(blocksAfter("<!-- output of npm start -->")[0]!),
    );
  });

  it("name only existing functions of the database, including the one for the first administrator", async () => {
    const named = [...new Set([...readme.matchAll(/\b(app\.\w+)\(/g)].map(([, name]) => name!))];
    expect(named).toContain("app.add_administrator");
    const { database_url } = readStackFile(at.place)!;
    const sql = connect(database_url);
    const there =
      await sql`select distinct oid::regproc::text as name from pg_proc where oid::regproc::text = any (${named})`;
    await sql.end();
    expect(there.map(({ name }) => name).sort()).toEqual(named.sort());
  });

  skipFor(it, lacking("browser"))("show pages of the console with the described content", async () => {
    const info = readStackFile(at.place)!;
    await withConsole(
      info,
      async (page) => {
        const texts: string[] = [];
        for (const picture of consolePictures) {
          const shown = await showPicture(page, picture);
          texts.push(await shown.innerText());
          expect(await labelsOf(shown), outdated).toEqual(labels[picture.file]);
        }
        const [overview, settlement] = texts;
        expect(overview).toMatch(/Commission\s+¥394,200\.00/);
        expect(settlement).toContain("10001 earned 1,440.00: base 7,200.00 × rate 20%, place 1 of cycle 2");
      },
      launchTestBrowser,
    );
  });

  skipFor(it, lacking("browser"))("show pages of the app with the described content", async () => {
    const found: string[] = [];
    const [shop, member, team] = await withApp(
      readStackFile(at.place)!,
      async (page) => {
        found.push(...(await labelsOf(page.locator("body"))));
        return page.locator("main").innerText();
      },
      launchTestBrowser,
    );
    expect(found, outdated).toEqual(labels[appPicture.file]);
    expect(shop).toContain("¥3,600.00");
    expect(member).toContain("Chen Jing");
    expect(team).toMatch(/Commission/);
  });

  interface Overview {
    matures: { date: string; amount: string }[];
    maturing: string;
    maturing_after_receipt: string;
  }

  skipFor(it, lacking("curl"))("match the responses of the store", async ({ skip }) => {
    if (differs) skip(differs);
    const [commands, output] = blocksAfter("## Five minutes with it");
    const script = commands!.replaceAll("./.local", at.place.directory);
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: projectRoot });
    // What matures on which day depends on the time at which the demo month was made.
    const [{ matures, ...shown }, { matures: example, ...expected }] = [stdout, output!].map((text) =>
      JSON.parse(text),
    ) as [Overview, Overview];
    expect(shown).toEqual(expected);
    for (const days of [matures, example]) {
      expect(days.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(
        Number(shown.maturing) - Number(shown.maturing_after_receipt),
      );
    }
  });

  it("simulate the business days of the overview, and group the digits of sums", async () => {
    const { database_url } = readStackFile(at.place)!;
    const sql = connect(database_url);
    const [counted] = await sql`
      select count(*)::integer as orders from app.orders as o, app.settings as s
      where o.has_queue_goods and o.paid_at >= (app.business_day(now()) - 29)::timestamp at time zone s.time_zone`;
    await sql.end();
    const { code, stdout } = await run(
      "simulate",
      ["--plan", '{"people_per_cycle": 2, "tier_ratios": [0.1, 0.2]}'],
      at.environment,
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`\n${counted!.orders.toLocaleString("en")} orders with queue goods, revenue `);
    expect(stdout).toMatch(/^ {2}commission +\d{1,3}(,\d{3})+\.\d\d +\d{1,3}(,\d{3})+\.\d\d$/m);
    expect(stdout).not.toMatch(/\d{4}\.\d\d/);
  });
});
