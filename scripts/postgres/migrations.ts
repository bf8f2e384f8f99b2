import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { environmentWithoutDatabase } from "../ground/environment.ts";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import { host } from "../ground/ports.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";

export const supabaseCli = join(projectRoot, "node_modules/supabase/dist/supabase.js");

const environment = {
  DO_NOT_TRACK: "1",
  SUPABASE_TELEMETRY_DISABLED: "1",
  SUPABASE_NO_UPDATE_NOTIFIER: "1",
  // Prevents the CLI from writing to the home folder.
  SUPABASE_HOME: join(projectRoot, ".local/supabase"),
  NO_COLOR: "1",
};

/**
 * What the CLI reads about a database besides its address. For a server on this machine, what the user has set for
 * others does not count; without the mode of TLS, the CLI prints a remark about it in its output.
 */
function clientEnvironment(args: string[]): NodeJS.ProcessEnv {
  if (args.some((text) => text.includes(`@${host}:`))) return { ...environmentWithoutDatabase(), PGSSLMODE: "disable" };
  return { PGSSLMODE: "disable", ...process.env };
}

/**
 * Runs the Supabase CLI without prompts and telemetry.
 * @param folder the project, which contains supabase/migrations
 */
export function runSupabaseCli(args: string[], env: Record<string, string> = {}, folder = projectRoot) {
  return runCommand(process.execPath, [supabaseCli, ...args, "--workdir", folder, "--yes", "--agent", "no"], {
    cwd: folder,
    env: { ...clientEnvironment(args), ...environment, ...env },
    extendEnv: false,
  });
}

/**
 * How long a statement of a migration may wait for a lock. Requests queue behind a statement that waits, so they wait
 * no longer than this. A migration may set a shorter time itself.
 */
const LOCK_TIMEOUT_MS = 1_000;
/** Longer than the lock timeout, so that the requests that queued behind an attempt are served before the next one. */
const PAUSE_MS = 2_000;
/** About five minutes. */
const MAX_ATTEMPTS = 100;

/**
 * A lock timeout, a deadlock, a backend that was terminated, and roles that another database of the server is changing:
 * databases share them. A migration is one transaction, which was rolled back.
 */
const RETRIED = /SQLSTATE (55P03|40P01|57P01)|tuple concurrently updated/;

/**
 * The text of a new migration. `npx supabase db push` sets no limits, so each file brings its own. They are settings of
 * the session: the CLI runs a file that creates an index concurrently outside a transaction, where `set local` does
 * nothing.
 * @param statements what it does
 */
export function migrationText(statements: string): string {
  return `-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '${LOCK_TIMEOUT_MS}ms';
set statement_timeout = '10s';

${statements}
`;
}

/**
 * The number of a new migration: the current UTC time as 14 digits, or the one after the last migration if that is
 * later.
 */
export function nextMigrationVersion(): string {
  const now = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const last = readdirSync(migrationsFolder).sort().at(-1)?.slice(0, 14) ?? "";
  return now > last ? now : String(BigInt(last) + 1n);
}

const LOCK_ADVICE = `Find the session that holds the lock, end it, and run the command again:

  select pid, usename, state, xact_start, query from pg_stat_activity where xact_start < now() - interval '1 minute' order by xact_start`;

/** The address of a database with a limit for lock waits, which is a setting of the session. */
function withLockTimeout(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("lock_timeout", String(LOCK_TIMEOUT_MS));
  return url.href;
}

/** Where migrations come from, and how long to try. */
export interface MigrationOptions {
  /** The folder that contains supabase/migrations. */
  folder?: string;
  maxAttempts?: number;
  /** Variables of the CLI, such as a password that its arguments do not have. */
  env?: Record<string, string>;
  /** Called with the number of the failed attempt before each new one. */
  onRetry?: (attempt: number) => void;
}

/**
 * Applies the missing migrations to a database. A migration that cannot get a lock in time, or whose session is
 * terminated, is applied again.
 * @param databaseUrl for role postgres
 * @param advice what to do if a migration fails
 * @returns whether any were applied
 */
export async function applyMigrations(
  databaseUrl: string,
  advice: string,
  { folder, maxAttempts = MAX_ATTEMPTS, env, onRetry }: MigrationOptions = {},
): Promise<boolean> {
  let applied = false;
  for (let attempt = 1; ; attempt += 1) {
    const { code, output } = await runSupabaseCli(
      ["migration", "up", `--remote=${withLockTimeout(databaseUrl)}`],
      env,
      folder,
    );
    applied ||= output.includes("Applying migration");
    if (code === 0) return applied;
    if (!RETRIED.test(output)) throw new Problem(`A migration could not be applied:\n${lastLines(output)}`, advice);
    if (attempt === maxAttempts)
      throw new Problem(`A migration could not be applied in ${attempt} attempts:\n${lastLines(output)}`, LOCK_ADVICE);
    onRetry?.(attempt);
    await wait(PAUSE_MS * (0.5 + Math.random()));
  }
}
