import { join } from "node:path";
import { projectRoot } from "./paths.ts";
import { Problem } from "./problem.ts";
import { lastLines, runCommand } from "./run_command.ts";

const supabaseCli = join(projectRoot, "node_modules/supabase/dist/supabase.js");

const environment = {
  DO_NOT_TRACK: "1",
  SUPABASE_TELEMETRY_DISABLED: "1",
  SUPABASE_NO_UPDATE_NOTIFIER: "1",
  // Nothing is to be written to the home folder.
  SUPABASE_HOME: join(projectRoot, ".local/supabase"),
  // Our server is on the loopback interface; without this the CLI prints a remark about TLS in the middle of its output.
  PGSSLMODE: process.env.PGSSLMODE ?? "disable",
  NO_COLOR: "1",
};

/** Runs the Supabase CLI in this project, without prompts and telemetry. */
export function runSupabaseCli(args: string[], env: Record<string, string> = {}) {
  return runCommand(process.execPath, [supabaseCli, ...args, "--workdir", projectRoot, "--yes", "--agent", "no"], {
    cwd: projectRoot,
    env: { ...environment, ...env },
  });
}

/**
 * Applies the migrations that a database does not have yet.
 * @param databaseUrl by role postgres
 * @param advice what to do when one fails
 * @returns whether there were any
 */
export async function applyMigrations(databaseUrl: string, advice: string): Promise<boolean> {
  const { code, output } = await runSupabaseCli(["migration", "up", `--remote=${databaseUrl}`]);
  if (code !== 0) throw new Problem(`A migration could not be applied:\n${lastLines(output)}`, advice);
  return output.includes("Applying migration");
}
