import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { runSqlFiles } from "./platform.ts";

const folder = join(projectRoot, "sql");

/** The files of sql/, the source of the database, in the order in which they are loaded. */
export function sourceFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Builds the database from sql/.
 * @param databaseUrl of a database with only the platform part, for role postgres
 */
export async function buildFromSource(databaseUrl: string): Promise<void> {
  // Functions may call functions of later files.
  await runSqlFiles(databaseUrl, sourceFiles(), { check_function_bodies: "off" });
}
