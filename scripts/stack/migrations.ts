import { join } from "node:path";
import { projectRoot } from "./paths.ts";
import { Problem } from "./problem.ts";
import { lastLines, runCommand } from "./run_command.ts";

export const supabaseCli = join(projectRoot, "node_modules/supabase/dist/supabase.js");

const environment = {
  DO_NOT_TRACK: "1",
  SUPABASE_TELEMETRY_DISABLED: "1",
  SUPABASE_NO_UPDATE_NOTIFIER: "1",
  // Prevents the CLI from writing to the home folder.
  SUPABASE_HOME: join(projectRoot, ".local/supabase"),
  // The server is on the loopback interface. Without this setting, the CLI prints a remark about TLS in its output.
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
 * Applies the missing migrations to a database.
 * @param databaseUrl for role postgres
 * @param advice what to do if a migration fails
 * @returns whether any were applied
 */
export async function applyMigrations(databaseUrl: string, advice: string): Promise<boolean> {
  const { code, output } = await runSupabaseCli(["migration", "up", `--remote=${databaseUrl}`]);
  if (code !== 0) throw new Problem(`A migration could not be applied:\n${lastLines(output)}`, advice);
  return output.includes("Applying migration");
}
