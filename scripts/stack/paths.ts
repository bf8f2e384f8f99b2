import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of this checkout. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The migrations that the Supabase CLI applies, in the order of their names. */
export const migrationsFolder = join(projectRoot, "supabase/migrations");

/** Where everything lives that a run creates: `.local/`, or the folder named by STORE_LOCAL_DIR. */
export const localDirectory = resolve(process.env.STORE_LOCAL_DIR ?? join(projectRoot, ".local"));

/** A cache like node_modules, so it is shared by `npm start` and all runs of `npm test`. */
export const denoCache = join(projectRoot, ".local", "deno");

/** Builds of the admin console, by what they were built from; a cache too. */
export const consoleBuilds = join(projectRoot, ".local", "console");

/** The files of one stack, all below one folder. */
export class StackPlace {
  constructor(readonly directory: string) {}
  /** Tells tools where the running stack is; exists only while it is up. */
  get stackFile() {
    return join(this.directory, "stack.json");
  }
  /** Secrets, and what has been set up so far. */
  get stateFile() {
    return join(this.directory, "state.json");
  }
  /** Which process holds this stack at the moment. */
  get ownerFile() {
    return join(this.directory, "owner.json");
  }
  get logs() {
    return join(this.directory, "logs");
  }
  logFile(part: string) {
    return join(this.logs, `${part}.log`);
  }
  get postgresData() {
    return join(this.directory, "postgres");
  }
}
