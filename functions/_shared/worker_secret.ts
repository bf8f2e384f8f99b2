import type { Environment } from "./env.ts";
import { Problem } from "./problem.ts";

const MIN_LENGTH = 24;

/** @throws Problem unless the secret is that of STORE_WORKER_SECRET. Without this variable, every secret is wrong */
export async function requireWorkerSecret(given: string | undefined, env: Environment): Promise<void> {
  const expected = env.get("STORE_WORKER_SECRET") ?? "";
  if (given === undefined || expected.length < MIN_LENGTH || !(await areEqual(given, expected))) throw new Problem("unauthenticated");
}

/** Compares digests, so that the time it takes tells nothing about the secret. */
async function areEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
  const left = new Uint8Array(a!);
  const right = new Uint8Array(b!);
  return left.reduce((difference, byte, index) => difference | (byte ^ right[index]!), 0) === 0;
}
