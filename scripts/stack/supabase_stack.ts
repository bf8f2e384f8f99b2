import { existsSync, readFileSync } from "node:fs";
import { withConnection } from "../postgres/database_server.ts";
import { migrateStore } from "../postgres/migration_history.ts";
import { runSupabaseCli } from "../postgres/migrations.ts";
import type { StackPlace } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";
import { lastLines } from "../ground/run_command.ts";
import { newState, readState, writeState } from "../ground/state.ts";
import type { Foundation } from "./stack.ts";

/** What `supabase status` says of a running stack. */
export interface SupabaseStack {
  API_URL: string;
  /** For role postgres. */
  DB_URL: string;
  PUBLISHABLE_KEY: string;
  SECRET_KEY: string;
  /** Undefined for the native stack of the CLI, whose tokens have public keys only. */
  JWT_SECRET?: string;
}

const NEEDED = ["API_URL", "DB_URL", "PUBLISHABLE_KEY", "SECRET_KEY"] as const;

/**
 * Reads what the Supabase CLI says of the stack that it runs for this folder.
 * @param file an output of `supabase status -o json`, `-o env` or `--env`, for a stack that somebody else has started
 * @throws Problem if none runs, or if the output lacks something
 */
export async function readSupabaseStack(file?: string): Promise<SupabaseStack> {
  const source = file ?? "`npx supabase status`";
  const status = variablesOf(file === undefined ? await askForStatus() : readStatusFile(file));
  if (Object.keys(status).length === 0)
    throw new Problem(`${source} has neither JSON nor variables.`, "Write the file by `npx supabase status -o json`.");
  // Versions of the CLI that know no publishable and secret keys have the keys that came before them.
  const { ANON_KEY, SERVICE_ROLE_KEY } = status;
  const complete = {
    ...status,
    PUBLISHABLE_KEY: status.PUBLISHABLE_KEY ?? ANON_KEY,
    SECRET_KEY: status.SECRET_KEY ?? SERVICE_ROLE_KEY,
  };
  const missing = NEEDED.filter((name) => !complete[name as keyof typeof complete]);
  if (missing.length > 0)
    throw new Problem(
      `${source} lacks ${missing.join(", ")}.`,
      "Start the stack with its database, Auth and Storage: `npx supabase start`.",
    );
  return complete as object as SupabaseStack;
}

/** The variables of a status, as JSON or as lines such as `API_URL="http://127.0.0.1:54321"`. */
function variablesOf(text: string): Record<string, string> {
  try {
    return { ...(JSON.parse(text) as Record<string, string>) };
  } catch {
    const lines = text.matchAll(/^([A-Z][A-Z0-9_]*)=(?:"(.*)"|(.*?))\r?$/gm);
    return Object.fromEntries([...lines].map(([, name, quoted, plain]) => [name!, quoted ?? plain!]));
  }
}

async function askForStatus(): Promise<string> {
  let answer = await runSupabaseCli(["status", "--output", "json"]);
  // The native stack of the CLI is asked in another way, and says so.
  if (answer.output.includes("--env")) answer = await runSupabaseCli(["status", "--env", "--output-format", "text"]);
  const { code, stdout, output } = answer;
  if (code === 0) return stdout;
  throw new Problem(
    `The Supabase CLI knows of no running stack:\n${lastLines(output, 3)}`,
    "Start one by `npx supabase start`, or start without --supabase: `npm start` brings a stack that needs no Docker.",
  );
}

function readStatusFile(file: string): string {
  if (!existsSync(file)) throw new Problem(`There is no file ${file}.`, "Write it by `npx supabase status -o json`.");
  return readFileSync(file, "utf8");
}

/** The port of an address on this machine. @throws Problem for another machine */
function localPort(address: string): number {
  const { hostname, port } = new URL(address);
  if (!["127.0.0.1", "localhost"].includes(hostname))
    throw new Problem(
      `${address} is not on this machine.`,
      "Only a local stack is used. For a project, see docs/deploy.md.",
    );
  return Number(port || 80);
}

/** Applies the migrations to the database of a stack of the Supabase CLI, and takes its Auth and Storage. */
export async function foundationOfSupabase(stack: SupabaseStack, place: StackPlace): Promise<Foundation> {
  const { DB_URL: url, API_URL: supabaseUrl } = stack;
  const { hostname, port, username, password, pathname } = new URL(url);
  const apiPort = localPort(supabaseUrl);
  localPort(url);
  const major = await step("The stack of the Supabase CLI", () =>
    withConnection(url, async (sql) => {
      const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::integer as version`;
      return Math.floor(row!.version / 10_000);
    }),
  ).catch((error: unknown) => {
    throw new Problem(
      `The database of the Supabase CLI, ${hostname}:${port}, cannot be used: ${(error as Error).message}`,
      "Look at `npx supabase status`, and start the stack again: `npx supabase stop`, then `npx supabase start`.",
    );
  });
  const state = {
    ...(readState(place) ?? newState(url)),
    publishable_key: stack.PUBLISHABLE_KEY,
    secret_key: stack.SECRET_KEY,
    ...(stack.JWT_SECRET !== undefined && { jwt_secret: stack.JWT_SECRET }),
  };
  writeState(place, state);
  await step("Migrations, by the Supabase CLI", (show) => migrateStore(url, place, show));
  return {
    database: {
      server: {
        host: hostname,
        port: Number(port),
        superuser: username,
        superuserPassword: decodeURIComponent(password),
      },
      kind: "external",
      major,
      name: pathname.slice(1),
      state,
    },
    url,
    supabaseUrl,
    authPort: apiPort,
    storagePort: apiPort,
  };
}
