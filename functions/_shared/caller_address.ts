import type { Context } from "hono";

/** The address of the caller, as the gateway of Supabase reports it. @returns undefined without a gateway that reports it */
export function callerAddress(c: Context): string | undefined {
  const address = c.req.header("cf-connecting-ip") ?? c.req.header("x-forwarded-for")?.split(",")[0]?.trim();
  return address !== undefined && /^[\da-f.:]{2,45}$/i.test(address) ? address : undefined;
}
