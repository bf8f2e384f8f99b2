import { z } from "@hono/zod-openapi";
import { respondJson } from "../../_shared/responses/respond.ts";
import { toBase64 } from "../../_shared/ground/base64.ts";
import type { Claims } from "../../_shared/database/database.ts";
import { readResult } from "../../_shared/database/result.ts";
import { log } from "../../_shared/ground/log.ts";
import { POSTER_EDITION } from "../../_shared/pictures/poster_edition.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { WechatFailure } from "../../_shared/wechat/api.ts";
import { fetchCode, readMiniProgram } from "../../_shared/wechat/mini_program_code.ts";

/** What `save_poster` returns. */
const savedPoster = z.object({ kind: z.enum(["mini_program", "h5"]), share_url: z.string(), token: z.string() });
type Poster = z.infer<typeof savedPoster>;

/** What `get_poster` returns. */
const knownPoster = z.object({ uid: z.int(), poster: savedPoster.nullable(), wants_code: z.boolean() });

/**
 * Returns the address of a member's poster. WeChat is called only if a mini-program code is needed, between two
 * database calls. If WeChat fails, the poster has a QR code. functions/poster draws the picture when it is first
 * requested.
 */
export function getPoster({ database, env }: Service, route: Route): RouteHandler {
  const program = readMiniProgram(env);
  const functionsUrl = env.get("STORE_FUNCTIONS_URL") || `${env.get("SUPABASE_URL")}/functions/v1`;

  async function findPoster(claims: Claims, product: number | undefined): Promise<Poster> {
    // The mini-program code opens the home page of the program, so posters of products have a QR code.
    const source = product === undefined ? program?.source : undefined;
    const terms = { p_template: POSTER_EDITION, p_code_source: source, p_product_id: product ?? 0 };
    const known = readResult(knownPoster, await database.callAsCaller(claims, "get_poster", terms));
    if (known.poster && !known.wants_code) return known.poster;
    const code =
      program && known.wants_code ? await fetchCode(program, database, known.uid).catch(logCodeUnavailable) : undefined;
    const saved = await database.callAsService("save_poster", {
      p_uid: known.uid,
      ...terms,
      p_code: code && toBase64(code),
    });
    return readResult(savedPoster, saved);
  }

  return async (c, claims) => {
    const { product_id } = (await readInput(c, route)).query as { product_id?: number };
    const { kind, share_url, token } = await findPoster(claims, product_id);
    return respondJson(c, JSON.stringify({ kind, share_url, image_url: `${functionsUrl}/poster/image/${token}.png` }));
  };
}

function logCodeUnavailable(error: unknown): undefined {
  const reason = error instanceof WechatFailure ? error.message : "the database failed";
  log("warning", "no mini-program code, the poster has a QR code", { reason });
}
