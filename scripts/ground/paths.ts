import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of this checkout. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The migrations, which the Supabase CLI applies in the order of their names. */
export const migrationsFolder = join(projectRoot, "supabase/migrations");

/** The folder of everything that a run creates: `.local/`, or STORE_LOCAL_DIR. */
export const localDirectory = resolve(process.env.STORE_LOCAL_DIR ?? join(projectRoot, ".local"));

/** A cache shared by `npm start` and all runs of `npm test`. */
export const denoCache = join(projectRoot, ".local", "deno");

/** A cache of bundles of the edge functions, named by a hash of their sources. */
export const functionBuilds = join(projectRoot, ".local", "functions");

/**
 * The folder with `supabase/` from which the Supabase CLI deploys the edge functions, each as one file. `npm run
 * functions:build` writes it.
 */
export const deploymentFolder = join(projectRoot, "dist/functions");
export const deployedFunctions = join(deploymentFolder, "supabase/functions");

/** A cache of builds of a static site, named by a hash of their sources. @param source the folder of the sources */
export const siteBuilds = (source: string) => join(projectRoot, ".local", source);

/** The paths of the files of one stack, which are all in one folder. */
export class StackPlace {
  constructor(readonly directory: string) {}
  /** Addresses and accounts of the running stack. It exists only while the stack is up. */
  get stackFile() {
    return join(this.directory, "stack.json");
  }
  /** Secrets, and the state of the set-up. */
  get stateFile() {
    return join(this.directory, "state.json");
  }
  /** The process that runs this stack. */
  get ownerFile() {
    return join(this.directory, "owner.json");
  }
  get logs() {
    return join(this.directory, "logs");
  }
  logFile(part: string) {
    return join(this.logs, `${part}.log`);
  }
  /** The mails of the Auth server, which the local stack does not send. */
  get mails() {
    return join(this.directory, "mails");
  }
  get postgresData() {
    return join(this.directory, "postgres");
  }
  /** The folder of a shard. */
  shard(number: number) {
    return new StackPlace(join(this.directory, `shard-${number}`));
  }
  /** The folder of the second server of a test run. */
  get embedded() {
    return new StackPlace(join(this.directory, "embedded"));
  }
}
