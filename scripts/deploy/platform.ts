import { askSupabase, type CliResult } from "../command_line/supabase_cli.ts";
import { AUTH_PERMISSION, type HostedAuth, readHostedAuth } from "../doctor/hosted_auth.ts";
import { platformAdvice, problemOfState, projectState, rowsOf } from "../doctor/platform_findings.ts";
import { Problem } from "../ground/problem.ts";

/** What the platform has of a project. */
export interface Platform {
  /** The digests of the secrets of the functions by name. */
  secrets: ReadonlyMap<string, string>;
  /** The key of the clients, and that of the server. Older projects have only `anon` and `service_role`. */
  publishableKey: string | undefined;
  secretKey: string | undefined;
  auth: HostedAuth;
}

/**
 * Asks for the state of a project, which explains all other failures. What a token does not show is left to them.
 * @throws Problem unless it runs
 */
async function requireRunning(ref: string): Promise<void> {
  const state = await projectState(ref);
  const problem = "value" in state ? problemOfState(ref, state.value) : undefined;
  if (problem) throw problem;
}

/** @throws Problem if the platform does not say it, or the project does not run */
export async function readPlatform(ref: string): Promise<Platform> {
  const [secrets, keys, auth] = await Promise.all([
    askSupabase<unknown>(["secrets", "list", `--remote=${ref}`]),
    askSupabase<unknown>(["projects", "api-keys", `--remote=${ref}`, "--reveal"]),
    readHostedAuth(ref),
    requireRunning(ref),
  ]);
  const rows = valueOf(keys, "keys");
  const key = (type: string, olderName: string) => {
    const found = rows.find((row) => row.type === type) ?? rows.find((row) => row.name === olderName);
    return typeof found?.api_key === "string" ? found.api_key : undefined;
  };
  const secretValues = valueOf(secrets, "secrets");
  if ("failure" in auth) throw new Problem(`The settings of Auth could not be read: ${auth.failure}`, AUTH_PERMISSION);
  return {
    secrets: new Map(secretValues.map(({ name, value, digest }) => [String(name), String(value ?? digest)])),
    publishableKey: key("publishable", "anon"),
    secretKey: key("secret", "service_role"),
    auth: auth.value,
  };
}

function valueOf(result: CliResult<unknown>, what: string): Record<string, unknown>[] {
  if ("failure" in result)
    throw new Problem(
      `The ${what} of the project could not be listed: ${result.failure}`,
      platformAdvice(result.failure),
    );
  return rowsOf(result.value);
}
