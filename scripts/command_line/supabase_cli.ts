import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { supabaseCli } from "../postgres/migrations.ts";
import { projectRoot } from "../ground/paths.ts";
import { type CommandResult, lastLines, runCommand } from "../ground/run_command.ts";

/** The folder that has `supabase/`, as the CLI takes it. */
export const workdir = () => process.env.SUPABASE_WORKDIR || projectRoot;

/** What the platform says, or why it said nothing. */
export type CliResult<Value> = { value: Value } | { failure: string };

/**
 * Runs the Supabase CLI with the login and the profile of the user.
 * @param onLine called with every line that it prints
 * @param secrets variables of the environment, which other users of the machine cannot read as they can read arguments
 */
export function runAsUser(
  args: string[],
  folder: string,
  onLine?: (line: string) => void,
  secrets: Record<string, string> = {},
): Promise<CommandResult> {
  return runCommand(process.execPath, [supabaseCli, ...args, "--workdir", folder, "--agent", "no"], {
    cwd: projectRoot,
    env: {
      DO_NOT_TRACK: "1",
      SUPABASE_TELEMETRY_DISABLED: "1",
      SUPABASE_NO_UPDATE_NOTIFIER: "1",
      NO_COLOR: "1",
      ...secrets,
    },
    ...(onLine && { onLine }),
  });
}

/** Runs a command of the Supabase CLI that prints JSON. @param folder that has `supabase/` */
export async function askSupabase<Value>(args: string[], folder = workdir()): Promise<CliResult<Value>> {
  const { code, stdout, output } = await runAsUser([...args, "--output-format", "json"], folder);
  if (code !== 0) return { failure: failureOf(lastLines(output, 3)) };
  try {
    return { value: JSON.parse(stdout) as Value };
  } catch {
    return { failure: "the Supabase CLI printed no JSON" };
  }
}

/** What the CLI says went wrong: the message of its JSON without that of the platform's, or its last lines as one. */
function failureOf(lines: string): string {
  for (const line of lines.split("\n"))
    try {
      const { error } = JSON.parse(line) as { error?: { message?: unknown } };
      if (typeof error?.message === "string") return error.message.replace(/\{"message":"([^"]*)"\}/, "$1");
    } catch {
      // This line is no JSON.
    }
  return lines.replaceAll(/\s+/g, " ");
}

/** The project that this folder is linked to by `supabase link`; undefined if there is none. */
export function linkedProject(): string | undefined {
  const file = join(workdir(), "supabase/.temp/project-ref");
  return existsSync(file) ? readFileSync(file, "utf8").trim() || undefined : undefined;
}
