import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { engineFolder } from "../audit/engine.ts";
import { engineOf } from "../audit/export.ts";
import { withConnection } from "../postgres/database_server.ts";

/** The types and functions that decide, as the bundle of a store has them. @param databaseUrl of a migrated database */
export const auditEngine = (databaseUrl: string): Promise<Map<string, string>> => withConnection(databaseUrl, engineOf);

/** Writes the files, and removes those of functions that are no more. */
export function writeAuditEngine(files: Map<string, string>): void {
  rmSync(engineFolder, { recursive: true, force: true });
  for (const [name, text] of files) {
    const path = join(engineFolder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
