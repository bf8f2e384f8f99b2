import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { monthSecret, readSealer, signSeal } from "../_shared/secrets/seals.ts";
import type { Work } from "./work.ts";

const toSeal = z.object({ month: z.string().nullable() });
const monthRoot = z.object({
  month: z.string(),
  rows: z.int(),
  root: z.string(),
  previous: z.string().nullable(),
  former_key: z.string().nullable(),
});

/**
 * Seals the months that are closed and next in sequence, where the key is configured. A month was closed, perhaps one
 * that others had waited for.
 */
export const sealMonths: Work = async ({ month: closed }, { database, env }) => {
  const sealer = await readSealer(env);
  const next = async () => readResult(toSeal, await database.callAsService("get_month_to_seal", {})).month;
  for (let month = sealer ? await next() : null; sealer && month !== null; month = await next()) {
    const p_secret = await monthSecret(sealer.secret, month);
    const root = readResult(monthRoot, await database.callAsService("get_month_root", { p_month: month, p_secret }));
    const seal = await signSeal(root, sealer);
    await database.callAsService("record_seal", {
      p_month: seal.month,
      p_rows: seal.rows,
      p_root: seal.root,
      p_previous: seal.previous,
      p_key: seal.key,
      p_signature: seal.signature,
      p_former_signature: seal.former_signature,
    });
  }
  await database.callAsService("finish_sealing", { p_month: closed as string });
  return "recorded";
};
