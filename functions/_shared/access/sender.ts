import type { Context } from "hono";
import { callerAddress } from "./caller_address.ts";
import type { Claims } from "../database/database.ts";
import type { Environment } from "../ground/env.ts";

const SENDER = "sender";

/**
 * Notes who sends a request: the account, whose machine keys are included, or the address of a visitor or a machine.
 */
export function noteSender(c: Context, claims: Claims, env: Environment): void {
  c.set(SENDER, claims.sub ?? callerAddress(c, env));
}

/** Who sends a request, as {@link noteSender} has noted it; undefined for a visitor without an address. */
export const senderOf = (c: Context): string | undefined => c.get(SENDER) as string | undefined;
