import { z } from "@hono/zod-openapi";
import type { Claims, Database } from "../database/database.ts";
import { readResult } from "../database/result.ts";
import { hex } from "../ground/hex.ts";
import { type KEY_SCOPES, SCOPE_OF_FUNCTION } from "../access/key_scopes.ts";
import { Problem } from "../responses/problem.ts";
import type { Route } from "./route.ts";

const PREFIX = "sck_";
/** The prefix, by which scanners of secrets find it, the id of the key, and the secret of 256 bits. */
const KEY = /^bearer +sck_([1-9]\d{0,14})_([0-9a-f]{64})$/i;

const claimsOfKey = z.record(z.string(), z.unknown());

/** The scope that a machine key needs for a route; undefined: the route is for people only. */
export function scopeOf({ auth, calls }: Pick<Route, "auth" | "calls">): (typeof KEY_SCOPES)[number] | undefined {
  return auth === "admin" ? SCOPE_OF_FUNCTION[calls] : undefined;
}

/** A new secret, and the hash by which the store knows it. */
export async function newSecret(): Promise<{ secret: string; hash: string }> {
  const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
  return { secret, hash: await hashOf(secret) };
}

/** The key that a program sends. */
export const keyText = (id: number, secret: string): string => `${PREFIX}${id}_${secret}`;

/** Whether an Authorization header has a machine key, whatever it is worth. */
export const hasMachineKey = (authorization = ""): boolean =>
  new RegExp(`^bearer +${PREFIX}`, "i").test(authorization.trim());

/**
 * Counts a call of the machine key in an Authorization header, and returns the claims with which the call is made.
 * Nothing is remembered, so a revoked key is refused at once.
 * @throws Problem if the key does not work, or has made too many calls
 */
export async function admitMachineKey(database: Database, authorization: string): Promise<Claims> {
  const [, id, secret] = KEY.exec(authorization.trim()) ?? [];
  if (id === undefined || secret === undefined) throw new Problem("invalid_key");
  const p_hash = await hashOf(secret.toLowerCase());
  return readResult(claimsOfKey, await database.callForVisitor("use_machine_key", { p_id: Number(id), p_hash }));
}

async function hashOf(secret: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))));
}
