import { error, type Finding, ok, skipped } from "./finding.ts";
import { functionNames } from "../stack/function_bundles.ts";
import type { SecretNames } from "./platform_findings.ts";
import { isLoopback, type Project } from "./project.ts";

/** How long to wait for a response: a cold start, and a database that does not respond. */
const DEADLINE_MS = 30_000;
const DEPLOY = `npm run functions:build && npx supabase functions deploy ${functionNames().join(" ")} --use-api`;
const SERVE_LOGS = "See the log of the function (Dashboard, Edge Functions, Logs): its first error names the setting.";

interface Reply {
  /** 0 if there was no response. */
  status: number;
  /** The code of a problem of the store, if the response is one. */
  code: string | undefined;
  body: Record<string, unknown>;
  text: string;
}

async function request(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Reply> {
  try {
    const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(DEADLINE_MS), redirect: "manual" });
    const text = await response.text();
    const body = parse(text);
    const isProblem = (response.headers.get("content-type") ?? "").startsWith("application/problem+json");
    return { status: response.status, code: isProblem ? String(body.code) : undefined, body, text };
  } catch (cause) {
    return { status: 0, code: undefined, body: {}, text: String((cause as { cause?: unknown }).cause ?? cause) };
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Calls the functions of the project as clients do: which are deployed, which API keys they accept, whether they reach the database.
 * @param publicKeys keys that clients send, by name
 * @param secrets the names of the secrets, if the platform has listed them
 */
export async function examineFunctions({ url }: Project, publicKeys: ReadonlyMap<string, string>, secrets: SecretNames | undefined): Promise<Finding[]> {
  const base = `${url}/functions/v1`;
  const deployed = await Promise.all(functionNames().map(async (name) => reachable(name, await request(`${base}/${name}/openapi.json`))));
  if (deployed.some(({ check, severity }) => check === "functions" && severity === "error")) return [...deployed, await signingFinding(url, secrets)];
  const [keys, database, signing, worker] = await Promise.all([
    keyFindings(base, publicKeys),
    request(`${base}/api/health`).then((reply) => databaseFindings(reply)),
    signingFinding(url, secrets),
    workerFinding(base),
  ]);
  return [...deployed, ...keys, ...database, signing, worker];
}

function reachable(name: string, { status, body, text }: Reply): Finding {
  if (status === 200 && body.openapi !== undefined) return ok("functions", `${name} responds`);
  if (status === 0) return error("functions", `${name} cannot be reached: ${text}`, "Check the reference or the address of the project, and that it is not paused (Dashboard).");
  if (status === 404) return error("functions", `${name} is not deployed`, DEPLOY);
  if (status === 401) return error("functions", `${name} is deployed with verification of tokens by the gateway, which rejects visitors`, `${DEPLOY}   # from this folder: supabase/config.toml has verify_jwt = false`);
  if (status >= 500) return error("functions", `${name} does not start (status ${status})`, SERVE_LOGS);
  return error("functions", `${name} is deployed, but does not respond like the function of this store (status ${status})`, DEPLOY);
}

/** Calls a public route in each way in which clients do. */
async function keyFindings(base: string, publicKeys: ReadonlyMap<string, string>): Promise<Finding[]> {
  const path = `${base}/api/openapi.json`;
  const route = `${base}/api/sign/required_article`;
  const ways: [string, Record<string, string>][] = [["no key", {}]];
  for (const [name, key] of publicKeys) ways.push([`the ${name} as apikey`, { apikey: key }], [`the ${name} as bearer token`, { apikey: key, authorization: `Bearer ${key}` }]);
  const findings = await Promise.all(ways.map(async ([way, headers]) => {
    const [document, { status, code }] = await Promise.all([request(path, headers), request(route, headers)]);
    const rejected = document.status === 401 || status === 401;
    if (rejected) return error("keys", `visitors with ${way} are rejected (${code ?? "by the gateway"})`, "npx supabase secrets set STORE_JWT_SECRET=…   # Dashboard, Settings, JWT Keys, Legacy JWT secret; or let clients send the publishable key");
    return ok("keys", `visitors with ${way} are served`);
  }));
  return publicKeys.size > 0 ? findings : [...findings, skipped("keys", "no key of the project is known, so none was tried", "Run `npx supabase login`, or set SUPABASE_PUBLISHABLE_KEY.")];
}

function databaseFindings({ status, code, body }: Reply): Finding[] {
  const hint = "In the SQL editor: alter role store_api password '<password>';   then: npx supabase secrets set \"STORE_DB_URL=postgresql://store_api.<ref>:<password>@<pooler>:6543/postgres?sslmode=require\"";
  if (status !== 200) return [error("password", `the functions do not reach the database as store_api (${code ?? `status ${status}`})`, hint)];
  const reached = ok("password", "the functions reach the database");
  if (body.status === "ok") return [reached, ok("health", "the background work runs")];
  return [reached, error("health", `the background work is ${String(body.status)}: ${JSON.stringify(body)}`, "docs/operations.md, the first rows of the table")];
}

/** Without public keys, a project signs with its shared secret, which the functions have to know. */
async function signingFinding(url: string, secrets: SecretNames | undefined): Promise<Finding> {
  const { status, body } = await request(`${url}/auth/v1/.well-known/jwks.json`);
  const keys = Array.isArray(body.keys) ? body.keys.length : 0;
  const hint = "npx supabase secrets set STORE_JWT_SECRET=…   # Dashboard, Settings, JWT Keys, Legacy JWT secret. Better: Migrate JWT secret, then Rotate keys";
  if (status !== 200 && !isLoopback(url)) return error("jwt", `the public keys of Auth cannot be read (status ${status})`, `Check the address: ${url}/auth/v1/.well-known/jwks.json`);
  if (keys > 0) return ok("jwt", `tokens are signed with ${keys === 1 ? "a key" : `${keys} keys`} of the project`);
  if (secrets?.has("STORE_JWT_SECRET")) return ok("jwt", "tokens are signed with the shared secret, which the functions have");
  return secrets === undefined
    ? skipped("jwt", "tokens are signed with the shared secret, and the secrets of the functions are not known", hint)
    : error("jwt", "tokens are signed with the shared secret, which the functions do not have: nobody can sign in", hint);
}

/** The worker must reject callers without its secret. */
async function workerFinding(base: string): Promise<Finding> {
  const { status, code } = await request(`${base}/worker/run`, {}, "POST");
  return code === "unauthenticated" ? ok("worker", "worker rejects callers without its secret") : error("worker", `worker answers a caller without its secret with status ${status}`, DEPLOY);
}
