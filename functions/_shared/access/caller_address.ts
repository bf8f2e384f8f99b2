import type { Context } from "hono";
import type { Environment } from "../ground/env.ts";

/**
 * The region of the function: according to https://supabase.com/docs/guides/functions/secrets, only hosted Supabase
 * sets it.
 */
const HOSTED = "SB_REGION";

/**
 * The address of the caller, as the gateway reports it. Supabase's gateway sets cf-connecting-ip; anywhere else, the
 * caller could write it. There, the nearest proxy has added the last address of x-forwarded-for, and the caller may
 * have written those before it.
 * @returns undefined without a gateway that reports it
 */
export function callerAddress(c: Context, env: Environment): string | undefined {
  const forwarded = c.req
    .header("x-forwarded-for")
    ?.split(",")
    .map((each) => each.trim());
  const address = env.get(HOSTED) ? (c.req.header("cf-connecting-ip") ?? forwarded?.[0]) : forwarded?.at(-1);
  return address !== undefined && /^[\da-f.:]{2,45}$/i.test(address) ? address : undefined;
}
