import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

/** What a released version added to the migrations. */
export interface Release {
  version: string;
  /** SHA-256 of each file, in the order in which they are applied. */
  migrations: Record<string, string>;
}

const releasesFile = join(projectRoot, "supabase/releases.json");

/** The first line of a migration that `npm run migration:fold` writes, and replaces. */
export const GENERATED = "-- Generated from sql/ by `npm run migration:fold`; do not edit.";

/**
 * The first line of a migration by hand that follows the generated ones and drops what they no longer use. They leave
 * it out.
 */
const DROPS_AFTERWARDS =
  "-- Drops what the generated migration no longer uses, so that `npm run migration:fold` leaves it out.";

/** The released versions, the first one first. */
export function releases(): Release[] {
  return JSON.parse(readFileSync(releasesFile, "utf8")) as Release[];
}

/** The names of the migrations of the released versions. */
export function releasedMigrations(): string[] {
  return releases().flatMap(({ migrations }) => Object.keys(migrations));
}

/** The migrations of this folder, in the order in which they are applied. */
export function migrationFiles(): string[] {
  return readdirSync(migrationsFolder)
    .filter((name) => /^\d+_.*\.sql$/.test(name))
    .sort();
}

/** The migrations of the version that is not released yet. */
export function unreleasedMigrations(): string[] {
  const released = new Set(releasedMigrations());
  return migrationFiles().filter((name) => !released.has(name));
}

const begins = (name: string, line: string) => readFileSync(join(migrationsFolder, name), "utf8").startsWith(line);

export const isGenerated = (name: string): boolean => begins(name, GENERATED);

export const dropsAfterwards = (name: string): boolean => begins(name, DROPS_AFTERWARDS);

/** The content of the migrations by name. */
export function migrationHashes(names = migrationFiles()): Record<string, string> {
  const hash = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(migrationsFolder, name)))
      .digest("hex");
  return Object.fromEntries(names.map((name) => [name, hash(name)]));
}

/**
 * What was done to released migrations, although stores have applied them.
 * @param files SHA-256 of the migrations that are there
 */
export function releaseFindings(released: Release[], files: Record<string, string>): string[] {
  const known = released.flatMap(({ version, migrations }) =>
    Object.entries(migrations).map(([name, hash]) => ({ version, name, hash })),
  );
  const names = new Set(known.map(({ name }) => name));
  const last =
    known
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? "";
  return [
    ...known
      .filter(({ name, hash }) => files[name] !== hash)
      .map(({ version, name }) => `${name} of ${version} was ${name in files ? "edited" : "removed"}.`),
    ...Object.keys(files)
      .filter((name) => !names.has(name) && name < last)
      .map((name) => `${name} precedes ${last}, which is released.`),
  ];
}

export const isReleased = (version: string): boolean => releases().some((release) => release.version === version);

/** @throws Problem if released migrations are not those that stores have applied */
export function requireReleasedMigrations(): void {
  const findings = releaseFindings(releases(), migrationHashes());
  if (findings.length > 0)
    throw new Problem(
      findings.join("\n"),
      "Restore what was edited or removed (git checkout v<version> -- <file>). A change is a migration with a later number.",
    );
}

/** @throws Problem if nothing can be added to a version, because it is released */
export function requireUnreleased(version: string): void {
  if (isReleased(version))
    throw new Problem(
      `Version ${version} is released already.`,
      'Set the next version first: docs/releasing.md, "After the tag".',
    );
}

/** Records the unreleased migrations as those of a version. From then on, they are not edited. */
export function recordRelease(version: string): void {
  const record: Release[] = [...releases(), { version, migrations: migrationHashes(unreleasedMigrations()) }];
  writeFileSync(releasesFile, `${JSON.stringify(record, null, 2)}\n`);
}
