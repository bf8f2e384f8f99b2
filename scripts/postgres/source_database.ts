import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { runSqlFiles } from "./platform.ts";

const folder = join(projectRoot, "sql");

/**
 * The phase in which a file is loaded: the modules, then what clients may call of each, which may use every module, then what is generated from
 * the catalogue.
 */
const phaseOf = (name: string) => (name.startsWith("from_the_catalogue/") ? 2 : name.includes("/api/") ? 1 : 0);

/** The files of sql/, the source of the database, in the order in which they are loaded. */
export function sourceFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sql"))
    .sort((a, b) => phaseOf(a) - phaseOf(b) || (a < b ? -1 : 1))
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
