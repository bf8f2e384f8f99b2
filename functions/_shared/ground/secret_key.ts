import type { Environment } from "./env.ts";
import { fromHex } from "./hex.ts";

/**
 * Reads a key of 32 bytes from a variable.
 * @returns undefined if it is not set
 * @throws Error that names the variable if it has another form
 */
export function readSecretKey(env: Environment, name: string): Uint8Array<ArrayBuffer> | undefined {
  const value = env.get(name);
  if (!value) return undefined;
  if (!/^[0-9a-f]{64}$/.test(value))
    throw new Error(`${name} must have 64 hexadecimal digits: the output of openssl rand -hex 32.`);
  return fromHex(value);
}
