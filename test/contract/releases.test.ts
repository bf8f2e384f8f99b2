import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isServed } from "../../functions/_shared/database/schema.ts";
import { SERVED, VERSION } from "../../functions/_shared/ground/version.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { projectVersion } from "../../scripts/ground/project_version.ts";
import {
  migrationHashes,
  type Release,
  releaseFindings,
  releases,
  unreleasedMigrations,
} from "../../scripts/postgres/releases.ts";
import { clientPackage } from "../../scripts/release/client_package.ts";
import { files } from "../../scripts/structure/sql_source.ts";

// Guarantee operation/migrations-released: A released migration is never edited, removed or preceded by another
// By: the hashes in supabase/releases.json
it("no released migration is edited, removed or preceded by another", () => {
  expect(releases().length).toBeGreaterThan(0);
  expect(releaseFindings(releases(), migrationHashes())).toEqual([]);
});

it.each([
  ["nothing was done", { "1_a.sql": "a", "3_b.sql": "b" }, []],
  ["a migration was added", { "1_a.sql": "a", "3_b.sql": "b", "4_c.sql": "c" }, []],
  ["one was edited", { "1_a.sql": "other", "3_b.sql": "b" }, ["1_a.sql of 0.1.0 was edited."]],
  ["one was removed", { "1_a.sql": "a" }, ["3_b.sql of 0.2.0 was removed."]],
  [
    "one precedes them",
    { "1_a.sql": "a", "2_c.sql": "c", "3_b.sql": "b" },
    ["2_c.sql precedes 3_b.sql, which is released."],
  ],
])("what was done to released migrations is found: %s", (_case, files, expected) => {
  const released: Release[] = [
    { version: "0.1.0", migrations: { "1_a.sql": "a" } },
    { version: "0.2.0", migrations: { "3_b.sql": "b" } },
  ];
  expect(releaseFindings(released, files as Record<string, string>)).toEqual(expected);
});

it("package.json, the workspaces, their lock file, the edge functions, the client and the changelog have one version", () => {
  const lock = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  const [, changelog] = /^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(
    readFileSync(join(projectRoot, "CHANGELOG.md"), "utf8"),
  )!;
  const workspaces = Object.entries(lock.packages).flatMap(([path, { version }]) =>
    path.includes("node_modules/") ? [] : [version],
  );
  expect(workspaces.length).toBeGreaterThan(5);
  expect(new Set([VERSION, lock.version, ...workspaces, clientPackage.version, changelog])).toEqual(
    new Set([projectVersion()]),
  );
});

it("the schema has the version of package.json if it is changed", () => {
  const { text } = files.find(({ path }) => path.endsWith("01_ground/versions.sql"))!;
  const versions = [...text.matchAll(/^ {2}\('(\d+\.\d+\.\d+)'\)/gm)].map(([, version]) => version);
  expect(versions.length).toBeGreaterThan(0);
  if (unreleasedMigrations().length > 0) expect(versions.at(-1)).toBe(projectVersion());
  expect(isServed(versions.at(-1)!)).toBe(true);
  // What the functions need came with a version of the schema.
  expect(versions).toContain(SERVED.from);
});

it("unreleased migrations belong to a version that is not released", () => {
  const isReleased = releases().some(({ version }) => version === projectVersion());
  expect(isReleased ? unreleasedMigrations() : []).toEqual([]);
});
