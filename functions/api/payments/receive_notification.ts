import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { answerJson } from "../../_shared/answer.ts";
import { errorEntry } from "../../_shared/error_registry.ts";
import { Problem } from "../../_shared/problem.ts";
import { readBody } from "../../_shared/read_body.ts";
import type { RouteHandler } from "../../_shared/route.ts";
import type { Service } from "../../_shared/service.ts";
import { createHmac } from "./hmac.ts";
import { type CreateProvider, eventArguments, type Notification, type PaymentProvider, Unverified } from "./provider.ts";
import { createWechatPay } from "./wechat.ts";

/** Every provider there is, by its name in the path and in the orders it pays. */
const PROVIDERS: Record<string, CreateProvider> = { wechat: createWechatPay, hmac: createHmac };

/**
 * Takes notifications of the providers that are configured. They repeat what is not answered with a success, so what is
 * recorded for people to look into is one; what is refused or could not be written down is not.
 */
export function receiveNotifications(service: Service): RouteHandler {
  const providers = new Map<string, PaymentProvider>();
  for (const [name, create] of Object.entries(PROVIDERS)) {
    const provider = create(service.env);
    if (provider) providers.set(name, provider);
  }

  return async (c) => {
    const name = c.req.param("provider") ?? "";
    const provider = providers.get(name);
    if (!provider) throw new Problem("route_not_found");
    const notification = { headers: c.req.raw.headers, body: await readBody(c), receivedAt: new Date() };
    try {
      await receive(service, name, provider, notification);
      return answerJson(c, JSON.stringify({ code: "SUCCESS", message: "OK" }));
    } catch (error) {
      return refuse(c, error instanceof Problem ? error : new Problem("internal_error", { cause: error }));
    }
  };
}

async function receive({ database, settle }: Service, name: string, provider: PaymentProvider, notification: Notification): Promise<void> {
  const event = await provider.read(notification).catch(async (error: unknown) => {
    if (!(error instanceof Unverified)) throw error;
    await database.callAsService("record_unverified_notification", { p_provider: name, p_reason: error.reason });
    throw new Problem("signature_invalid", { cause: error });
  });
  const answer = await database.callAsService("record_payment_notification", eventArguments(name, event));
  const { outcome } = JSON.parse(answer) as { outcome: string };
  if (outcome === "refused") throw new Problem("payment_refused");
  if (outcome === "paid") settle();
}

/** What providers understand: a status that is no success. The body is for whoever reads their log. */
function refuse(c: Context, problem: Problem): Response {
  const { status, retry_after } = errorEntry(problem.code);
  // The line of the request log tells of it as of any other.
  c.error = problem;
  const headers: Record<string, string> = retry_after ? { "retry-after": String(retry_after) } : {};
  return answerJson(c, JSON.stringify({ code: "FAIL", message: problem.code }), status as ContentfulStatusCode, headers);
}
