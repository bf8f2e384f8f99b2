import { isLoopback } from "../../functions/_shared/ground/loopback.ts";
import { functionNames, sourceHash } from "../generate/function_bundles.ts";
import { error, type Finding, ok, skipped, warning } from "./finding.ts";
import { DB_URL_EXAMPLE, MISSING_PRIVILEGE, secretHint } from "./hints.ts";
import type { SecretNames } from "./platform_findings.ts";
import type { Project } from "./project.ts";
import { type Reply, request } from "./request.ts";

const DEPLOY = "npm run functions:deploy";
const SERVE_LOGS = "See the log of the function (Dashboard, Edge Functions, Logs): its first error names the setting.";

/**
 * Calls the functions of the project as clients do: which are deployed, which API keys they accept, whether they reach
 * the database.
 * @param publicKeys keys that clients send, by name
 * @param secrets the names of the secrets, if the platform has listed them
 */
export async function examineFunctions(
  { url }: Project,
  publicKeys: ReadonlyMap<string, string>,
  secrets: SecretNames | undefined,
): Promise<Finding[]> {
  const base = `${url}/functions/v1`;
  const source = sourceHash();
  const deployed = await Promise.all(
    functionNames().map(async (name) => reachable(name, await request(`${base}/${name}/openapi.json`), source)),
  );
  if (deployed.some(({ check, severity }) => check === "functions" && severity === "error"))
    return [
      ...deployed,
      ...(["keys", "health", "worker"] as const).map((check) =>
        skipped(check, "not all functions answer, so they were not examined further", ""),
      ),
      await signingFinding(url, secrets),
    ];
  const [keys, database, signing, worker] = await Promise.all([
    keyFindings(base, publicKeys),
    request(`${base}/api/health`).then((reply) => databaseFindings(reply)),
    signingFinding(url, secrets),
    workerFinding(base),
  ]);
  return [...deployed, ...keys, ...database, signing, worker];
}

function reachable(name: string, { status, body, text, source }: Reply, expected: string): Finding {
  if (status === 200 && body.openapi !== undefined) {
    return source === expected
      ? ok("functions", `${name} responds`)
      : warning("functions", `${name} responds, but was built from other sources than those in this folder`, DEPLOY);
  }
  if (status === 0)
    return error(
      "functions",
      `${name} cannot be reached: ${text}`,
      "Check the reference or the address of the project, and that it is not paused (Dashboard).",
    );
  if (status === 540)
    return error("functions", `${name} cannot be reached: the project is paused`, "Resume it in the Dashboard.");
  if (status === 404) return error("functions", `${name} is not deployed`, DEPLOY);
  if (status === 401)
    return error(
      "functions",
      `${name} is deployed with verification of tokens by the gateway, which rejects visitors`,
      `${DEPLOY}   # from this folder: supabase/config.toml has verify_jwt = false`,
    );
  if (status >= 500) return error("functions", `${name} does not start (status ${status})`, SERVE_LOGS);
  return error(
    "functions",
    `${name} is deployed, but does not respond like the function of this store (status ${status})`,
    DEPLOY,
  );
}

/** Calls a public route in each way in which clients do. */
async function keyFindings(base: string, publicKeys: ReadonlyMap<string, string>): Promise<Finding[]> {
  const path = `${base}/api/openapi.json`;
  const route = `${base}/api/sign/required_article`;
  const ways: [string, Record<string, string>][] = [["no key", {}]];
  for (const [name, key] of publicKeys)
    ways.push(
      [`the ${name} as apikey`, { apikey: key }],
      [`the ${name} as bearer token`, { apikey: key, authorization: `Bearer ${key}` }],
    );
  const findings = await Promise.all(
    ways.map(async ([way, headers]) => {
      const [document, { status, code }] = await Promise.all([request(path, headers), request(route, headers)]);
      const rejected = document.status === 401 || status === 401;
      if (rejected)
        return error(
          "keys",
          `visitors with ${way} are rejected (${code ?? "by the gateway"})`,
          `${secretHint("STORE_JWT_SECRET=…")}   # Dashboard, Settings, JWT Keys, Legacy JWT secret; or let clients send the publishable key`,
        );
      return ok("keys", `visitors with ${way} are served`);
    }),
  );
  return publicKeys.size > 0
    ? findings
    : [
        ...findings,
        skipped(
          "keys",
          "no key of the project is known, so none was tried",
          "Run `npx supabase login`, or set SUPABASE_PUBLISHABLE_KEY.",
        ),
      ];
}

function databaseFindings({ status, code, body }: Reply): Finding[] {
  if (code === "forbidden")
    return [
      error(
        "privileges",
        "the functions reach the database, but a privilege of store_api is missing",
        MISSING_PRIVILEGE,
      ),
    ];
  const hint = `In the SQL editor: alter role store_api password '<password>';   ${secretHint(`STORE_DB_URL=${DB_URL_EXAMPLE}`)}`;
  if (status !== 200)
    return [
      error("password", `the functions do not reach the database as store_api (${code ?? `status ${status}`})`, hint),
    ];
  const reached = ok("password", "the functions reach the database");
  if (body.schema === "not_served")
    return [
      reached,
      error(
        "schema",
        `the functions do not serve the version ${String(body.schema_version)} of the database, and refuse requests`,
        "npm run upgrade -- --check",
      ),
    ];
  if (body.status === "ok") return [reached, ok("health", "the background work runs")];
  return [
    reached,
    error(
      "health",
      `the background work is ${String(body.status)}: ${JSON.stringify(body)}`,
      'docs/operations.md, "When something is wrong"',
    ),
  ];
}

/** Without public keys, a project signs with its shared secret, which the functions have to know. */
async function signingFinding(url: string, secrets: SecretNames | undefined): Promise<Finding> {
  const { status, body } = await request(`${url}/auth/v1/.well-known/jwks.json`);
  const keys = Array.isArray(body.keys) ? body.keys.length : 0;
  const hint = `${secretHint("STORE_JWT_SECRET=…")}   # Dashboard, Settings, JWT Keys, Legacy JWT secret. Better: Migrate JWT secret, then Rotate keys`;
  if (status !== 200 && !isLoopback(url))
    return error(
      "jwt",
      `the public keys of Auth cannot be read (status ${status})`,
      `Check the address: ${url}/auth/v1/.well-known/jwks.json`,
    );
  if (keys > 0) return ok("jwt", `tokens are signed with ${keys === 1 ? "a key" : `${keys} keys`} of the project`);
  if (secrets?.has("STORE_JWT_SECRET"))
    return ok("jwt", "tokens are signed with the shared secret, which the functions have");
  return secrets === undefined
    ? skipped("jwt", "tokens are signed with the shared secret, and the secrets of the functions are not known", hint)
    : error(
        "jwt",
        "tokens are signed with the shared secret, which the functions do not have: nobody can sign in",
        hint,
      );
}

/** The worker must reject callers without its secret. */
async function workerFinding(base: string): Promise<Finding> {
  const { status, code } = await request(`${base}/worker/run`, {}, "POST");
  return code === "unauthenticated"
    ? ok("worker", "worker rejects callers without its secret")
    : error("worker", `worker responds to a caller without its secret with status ${status}`, DEPLOY);
}
