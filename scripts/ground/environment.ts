/**
 * What every process of the stack gets of our environment: where programs and files are, language, time zone, and the
 * clock of a test (libfaketime).
 */
const COMMON = /^(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|LD_LIBRARY_PATH|LD_PRELOAD|FAKETIME\w*)$/;

/** How a process reaches other machines: proxies, and the authorities of their certificates. */
const OUTSIDE = /^((https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|DENO_(CERT|TLS_CA_STORE)|NODE_EXTRA_CA_CERTS)$/i;

/** Variables of libpq, which postgres.js and the Supabase CLI read, too. */
const DATABASE_CLIENT = /^PG[A-Z]+$/;

const NEARBY = ["127.0.0.1", "localhost", "::1"];

function pick(...patterns: RegExp[]): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => patterns.some((pattern) => pattern.test(name)));
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * The environment of a process of the stack. What the user has set for other programs does not reach it.
 * @param own what the stack sets
 */
export const partEnvironment = (own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({ ...pick(COMMON), ...own });

/**
 * What a process that reaches other machines gets in addition.
 * @param settings variables of its own that the user may have set
 */
export const outsideEnvironment = (settings: RegExp): Record<string, string> => pick(OUTSIDE, settings);

/** Our environment without the variables of a database client. */
export function environmentWithoutDatabase(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !DATABASE_CLIENT.test(name)));
}

/**
 * Prepares this process, and the programs that it runs, for servers on this machine: what the user has set for other
 * databases does not count, and no proxy stands between.
 */
export function prepareForOwnServers(): void {
  for (const name of Object.keys(process.env))
    if (DATABASE_CLIENT.test(name)) Reflect.deleteProperty(process.env, name);
  if (Object.keys(pick(/^(https?|all)_proxy$/i)).length === 0) return;
  const listed = [process.env.no_proxy, process.env.NO_PROXY]
    .flatMap((text) => text?.split(",") ?? [])
    .map((name) => name.trim());
  const direct = [...new Set([...listed.filter(Boolean), ...NEARBY])].join(",");
  process.env.NO_PROXY = direct;
  process.env.no_proxy = direct;
}
