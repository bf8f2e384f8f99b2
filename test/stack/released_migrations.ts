import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrationsFolder } from "../../scripts/ground/paths.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import { releases } from "../../scripts/postgres/releases.ts";

/** The migrations of a release and of those before it. */
export const migrationsUntil = (version: string): string[] =>
  releases()
    .slice(0, releases().findIndex((release) => release.version === version) + 1)
    .flatMap(({ migrations }) => Object.keys(migrations));

/** Applies these migrations of the project, and no others. */
export async function migrate(url: string, names: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "store-release-"));
  try {
    mkdirSync(join(folder, "supabase/migrations"), { recursive: true });
    for (const name of names) copyFileSync(join(migrationsFolder, name), join(folder, "supabase/migrations", name));
    await applyMigrations(url, "A released migration is never edited.", { folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
