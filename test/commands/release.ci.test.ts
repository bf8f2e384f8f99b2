import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { functionNames } from "../../scripts/generate/function_bundles.ts";
import { noticesFile } from "../../scripts/generate/third_party_notices.ts";
import { migrationsFolder, projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { releases } from "../../scripts/postgres/releases.ts";
import { git, name, npm, released, releaseClones, version } from "./release_clones.ts";

const { source, clone } = releaseClones();
const release = (at: string, ...args: string[]) => npm(at, "release", ...args);

/** The clone with a release. */
let first: string;

describe("npm run release", () => {
  const read = (file: string) => readFileSync(join(released(first), file));
  beforeAll(async () => {
    first = await clone();
    const { code, output } = await release(first);
    expect(code, output).toBe(0);
    // What git ignores makes no tree dirty.
    expect(await git(first, "status", "--porcelain")).toBe("");
  });

  it("has the checksum of each file", async () => {
    const { code, output } = await runCommand("sha256sum", ["--check", "--quiet", "SHA256SUMS"], {
      cwd: released(first),
    });
    expect([code, output]).toEqual([0, ""]);
    const named = [
      ...read("SHA256SUMS")
        .toString()
        .matchAll(/^[0-9a-f]{64} {2}(.+)$/gm),
    ].map(([, file]) => file!);
    expect([...named, "SHA256SUMS"].sort()).toEqual(readdirSync(released(first)).sort());
  });

  it("has archives of the functions, the sites, the mini program and the migrations", () => {
    const [functions, admin, h5, mini, migrations] = ["functions", "console", "h5", "mini", "migrations"].map((part) =>
      unzipSync(read(`${part}.zip`)),
    );
    expect(Object.keys(functions!).sort()).toEqual(
      [
        "supabase/config.toml",
        `supabase/functions/${noticesFile}`,
        ...functionNames().map((each) => `supabase/functions/${each}/index.js`),
      ].sort(),
    );
    for (const site of [admin!, h5!]) {
      expect(Object.keys(site)).toContain("index.html");
      expect(strFromU8(site[noticesFile]!)).toContain("Third-party notices");
      // An update would replace the configuration of the store by the sample.
      expect(Object.keys(site)).not.toContain("config.json");
    }
    expect(Object.keys(mini!)).toEqual(expect.arrayContaining(["project.config.json", "dist/app.json"]));
    expect(strFromU8(mini!["dist/shared/config.js"]!)).toContain("functionsUrl");
    const files = readdirSync(migrationsFolder).sort();
    expect(Object.keys(migrations!).sort()).toEqual(files);
    for (const file of files)
      expect(Buffer.from(migrations![file]!).equals(readFileSync(join(migrationsFolder, file))), file).toBe(true);
    for (const archive of [functions!, admin!, h5!, mini!])
      for (const [path, content] of Object.entries(archive))
        expect([path, strFromU8(content).includes(first)]).toEqual([path, false]);
  });

  it("has the documents, the guarantees, the notes of this version, and the package of the client", () => {
    for (const each of ["api", "adminapi"])
      expect(
        read(`${each}.openapi.json`).equals(readFileSync(join(projectRoot, "functions", each, "openapi.json"))),
      ).toBe(true);
    const guarantees = JSON.parse(read("guarantees.json").toString()) as {
      subject: string;
      promise: string;
      tests: unknown[];
    }[];
    expect(guarantees.length).toBeGreaterThan(100);
    expect(guarantees.find(({ promise }) => promise.startsWith("R11"))).toMatchObject({
      subject: "Rules of commission and points",
      tests: [{ file: "supabase/tests/rules/releases_four_in_ten_thousand.test.sql", names: [] }],
    });
    expect(read("RELEASE_NOTES.md").toString()).toBe("- The first line.\n");
    expect(statSync(join(released(first), `${name}-client-${version}.tgz`)).size).toBeGreaterThan(10_000);
  });

  it("has every package of package-lock.json in the bill of materials", () => {
    const { metadata, components, bomFormat } = JSON.parse(read("sbom.cdx.json").toString()) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: { name: string; version: string }[];
    };
    expect([bomFormat, metadata.component.name, metadata.component.version]).toEqual(["CycloneDX", name, version]);
    const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version: string; link?: boolean }>;
    };
    const locked = Object.entries(packages)
      .filter(([path, { link }]) => path !== "" && !link)
      .map(([path, { version: of }]) => `${path.replace(/^.*node_modules\/|^apps\//, "")} ${of}`);
    expect([...new Set(components.map((each) => `${each.name} ${each.version}`))].sort()).toEqual(
      [...new Set(locked)].sort(),
    );
  });

  it("makes nothing with --dry-run", async () => {
    const place = await clone();
    const { code, stdout } = await release(place, "--dry-run");
    expect([code, existsSync(join(place, "dist"))]).toEqual([0, false]);
    for (const file of readdirSync(released(first)).filter((each) => each !== "SHA256SUMS"))
      expect(stdout).toContain(file);
  });
});

describe("npm run release refuses", () => {
  async function expectRefusal(place: string, sentence: string | RegExp, ...args: string[]): Promise<void> {
    const { code, output } = await release(place, ...args);
    expect([code, output]).toEqual([2, expect.stringMatching(sentence)]);
    expect(output).not.toMatch(/^ +at /m);
    expect(existsSync(join(place, "dist"))).toBe(false);
  }

  it("a tree with a change or a file that is not committed, and names it", async () => {
    const place = await clone();
    writeFileSync(join(place, "sql/forgotten.sql"), "select 1;\n");
    await expectRefusal(place, /not the last commit:\n\?\? sql\/forgotten\.sql/);
  });

  it("a version without a section in the changelog", async () => {
    const place = await clone();
    writeFileSync(join(place, "CHANGELOG.md"), `# Changelog\n\n## ${version}.1\n\n- Another version.\n`);
    await git(place, "commit", "--quiet", "--all", "--message", "Another section");
    await expectRefusal(place, `CHANGELOG.md says nothing about ${version}.`);
  });

  it("a version whose tag is at another commit", async () => {
    const place = await clone();
    await git(place, "tag", `v${version}`);
    await git(place, "commit", "--quiet", "--allow-empty", "--message", "Later");
    await expectRefusal(place, `The tag v${version} is at the commit [0-9a-f]{12}, not at`);
  });

  it("a folder that is no checkout", async () => {
    const place = await clone();
    rmSync(join(place, ".git"), { recursive: true });
    await expectRefusal(place, "this folder has none");
  });

  it("a tag before the version has its date and its migrations are recorded", async () => {
    const place = await clone();
    await expectRefusal(place, `says that ${version} is not released`, "--tag");
    await git(place, "pull", "--quiet", source, "dated");
    await expectRefusal(place, `does not have the migrations of ${version}`, "--tag");
    // Nor is one released that was made by hand.
    await git(place, "tag", `v${version}`);
    await expectRefusal(place, `does not have the migrations of ${version}`);
  });

  it("a tag of migrations that are not the recorded ones, and records no others", async () => {
    const place = await clone();
    await git(place, "pull", "--quiet", source, "dated");
    const [migration] = Object.keys(releases()[0]!.migrations);
    const file = join(place, "supabase/migrations", migration!);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text}select 1;\n`);
    expect(await npm(place, "freeze_migrations")).toMatchObject({
      code: 1,
      output: expect.stringContaining("was edited") as string,
    });
    writeFileSync(file, text);
    expect((await npm(place, "freeze_migrations")).code).toBe(0);
    for (const [command, ...args] of [["freeze_migrations"], ["new_migration", "later"]] as const)
      expect(await npm(place, command, ...args)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`Version ${version} is released already.`) as string,
      });
    writeFileSync(join(place, "supabase/migrations/29990101000000_later.sql"), "select 1;\n");
    await git(place, "add", "--all");
    await git(place, "commit", "--quiet", "--message", "Later");
    await expectRefusal(place, `without 29990101000000_later.sql`, "--tag");
  });
});

it("npm run release creates an annotated tag with the notes if it is asked to, and keeps it", async () => {
  await git(first, "pull", "--quiet", source, "dated");
  expect((await npm(first, "freeze_migrations")).code).toBe(0);
  await git(first, "commit", "--quiet", "--all", "--message", "Freeze");
  for (const time of ["first", "second"]) {
    const { code, output } = await release(first, "--tag");
    expect([time, code, output]).toEqual([time, 0, expect.stringContaining(`git push origin v${version}`)]);
    expect(await git(first, "cat-file", "-t", `v${version}`)).toBe("tag");
    expect(await git(first, "tag", "--list", "--format=%(contents)", `v${version}`)).toBe("- The first line.");
  }
});
