import { z } from "@hono/zod-openapi";
import { log } from "../_shared/ground/log.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { parseJson, Unverified } from "../_shared/providers/signed_message.ts";
import { readWebhookSecrets, verifyWebhook } from "../_shared/providers/standard_webhook.ts";
import { readBody } from "../_shared/http/read_body.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { openSms } from "./sms.ts";
import { SmsRefused } from "./sms_provider.ts";

/** Supabase Auth waits five seconds for a hook, its own retries included. */
const DEADLINE_MS = 3500;

/** What is read of the message of the hook. Older versions of Auth name the number in `user` alone. */
const message = z.object({
  metadata: z.object({ ip_address: z.string().max(64).optional() }).optional(),
  user: z.object({ phone: z.string().optional() }),
  sms: z.object({ otp: z.string().regex(/^\d{4,10}$/), phone: z.string().optional() }),
});

/** What Auth passes on to the client: the status and the sentence. */
interface HookError {
  http_code: number;
  message: string;
}

/** What the client of Auth is told. */
function hookErrorOf(error: unknown): HookError {
  if (error instanceof Problem && error.code === "too_many_requests")
    return { http_code: 429, message: "Too many codes were asked for. Try again in an hour." };
  if (error instanceof SmsRefused)
    return error.reason === "too_often"
      ? { http_code: 429, message: "Too many codes were sent to this number. Try again later." }
      : { http_code: 422, message: "No code can be sent to this number." };
  return { http_code: 503, message: "The code could not be sent. Try again in a minute." };
}

/**
 * Sends the code of a sign-in by phone, when Supabase Auth asks for it (the hook "Send SMS"). Auth stores the code only
 * after this has succeeded, so a code whose sending is unknown is never valid, and the next one is asked for by the
 * person.
 */
export function sendSignInCode({ database, env }: Service): RouteHandler {
  const secrets = readWebhookSecrets(env, "STORE_SMS_HOOK_SECRETS");
  const provider = openSms(env);

  return async (c) => {
    // Without its environment variable, every signature is wrong.
    if (!secrets) throw new Problem("signature_invalid");
    const body = await readBody(c);
    await verifyWebhook(secrets, { headers: c.req.raw.headers, body, receivedAt: new Date() }).catch(
      (cause: unknown) => {
        throw cause instanceof Unverified ? new Problem("signature_invalid", { cause }) : cause;
      },
    );
    const { data } = message.safeParse(parseJson(body));
    const phone = (data?.sms.phone || data?.user.phone || "").replace(/^\+/, "");
    if (!data || !/^[1-9]\d{4,14}$/.test(phone)) throw new Problem("invalid_argument");
    try {
      if (!provider) throw new Error("no provider of text messages is configured");
      await database.callAsService("count_code", { p_phone: phone, p_address: data.metadata?.ip_address ?? null });
      await provider.sendCode(phone, data.sms.otp, AbortSignal.timeout(DEADLINE_MS));
    } catch (error) {
      // Without the number: the texts of these errors have none.
      log("warning", "sign-in code", {
        result: "failed",
        error: error instanceof Problem ? error.code : String(error),
      });
      // Auth reads the error of a successful response only.
      return respondJson(c, JSON.stringify({ error: hookErrorOf(error) }));
    }
    return respondJson(c, "{}");
  };
}
