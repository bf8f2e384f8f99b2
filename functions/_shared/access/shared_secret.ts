import type { Environment } from "../ground/env.ts";
import { Problem } from "../responses/problem.ts";

/** A shorter secret could be guessed. */
const MIN_LENGTH = 24;

/** The environment variable with the secret of each kind of caller that is no person. */
const VARIABLES = { job: "STORE_WORKER_SECRET", scraper: "STORE_METRICS_TOKEN" } as const;

/** A caller that is no person and knows a secret: a scheduled job, or a monitoring system that scrapes metrics. */
export type Machine = keyof typeof VARIABLES;

/** Whether this is the secret of `machine`. Without its environment variable, every secret is wrong. */
export function isSecretOf(machine: Machine, given: string | undefined, env: Environment): Promise<boolean> {
  const expected = env.get(VARIABLES[machine]) ?? "";
  if (given === undefined || expected.length < MIN_LENGTH) return Promise.resolve(false);
  return areEqual(given, expected);
}

/** @throws Problem unless this is the secret of `machine` */
export async function requireSecretOf(machine: Machine, given: string | undefined, env: Environment): Promise<void> {
  if (!(await isSecretOf(machine, given, env))) throw new Problem("unauthenticated");
}

/** Compares digests, so that the time it takes tells nothing about the secret. */
export async function areEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
  );
  const left = new Uint8Array(a!);
  const right = new Uint8Array(b!);
  return left.reduce((difference, byte, index) => difference | (byte ^ right[index]!), 0) === 0;
}
