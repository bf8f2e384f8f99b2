import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { runSqlFiles } from "./platform.ts";

const folder = join(projectRoot, "sql");

/** Whether a file, by its path below sql/, has what clients may call of its module. */
export const isApi = (path: string) => path.includes("/api/");

/**
 * The phase in which a file is loaded: first the modules, then what clients may call of each, then what is generated
 * from the catalogue.
 */
const phaseOf = (path: string) => (path.startsWith("from_the_catalogue/") ? 2 : isApi(path) ? 1 : 0);

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
