import { z } from "@hono/zod-openapi";
import { readResult } from "../../_shared/database/result.ts";
import { log } from "../../_shared/ground/log.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { readWebhookSecret, type SecretOf, signedHeaders } from "../../_shared/secrets/webhook_signature.ts";
import { post } from "./post.ts";
import { type Egress, readEgress } from "./target.ts";

/** What `lease_deliveries` returns. */
const delivery = z.object({
  id: z.int(),
  attempt: z.int(),
  message_id: z.string(),
  url: z.string(),
  body: z.string(),
  salts: z.array(z.string()),
});
type Delivery = z.infer<typeof delivery>;

/** How many deliveries of a webhook are sent at a time. */
const AT_A_TIME = 5;

/** What came of an attempt. Without a problem, the delivery is done. */
interface Outcome {
  status?: number;
  response?: string;
  problem?: string;
  retryAfter?: number | undefined;
}

/**
 * Sends the deliveries that are due, of each webhook in a loop of its own, so that one that is slow delays no other. A
 * crash after any step is harmless: what was leased is due again when its lease ends, and the receiver knows a repeated
 * message by its id.
 * @returns how many deliveries were sent
 */
export async function sendDeliveries(service: Service, until: number): Promise<number> {
  const { database, env } = service;
  const webhooks = readResult(z.array(z.int()), await database.callAsService("get_due_webhooks", {}));
  if (webhooks.length === 0) return 0;
  const secretOf = readWebhookSecret(env);
  if (!secretOf) throw new Error("Set STORE_WEBHOOK_KEY: webhooks wait for it.");
  const egress = readEgress(env);

  async function send(leased: Delivery): Promise<void> {
    const { status, response, problem, retryAfter } = await attempt(leased, secretOf!, egress).catch(
      (error: unknown): Outcome => ({
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
    log(problem === undefined ? "info" : "warning", "webhook", {
      delivery: leased.id,
      attempt: leased.attempt,
      status,
      error: problem,
    });
    await database.callAsService("record_attempt", {
      p_id: leased.id,
      p_attempt: leased.attempt,
      p_status: status,
      p_response: response,
      p_problem: problem,
      p_retry_after: retryAfter,
    });
  }

  async function sendTo(webhook: number): Promise<number> {
    let sent = 0;
    let leased: Delivery[];
    do {
      leased = readResult(
        z.array(delivery),
        await database.callAsService("lease_deliveries", { p_webhook: webhook, p_limit: AT_A_TIME }),
      );
      // If an outcome cannot be recorded, the lease ends and the delivery is due again.
      await Promise.allSettled(leased.map(send));
      sent += leased.length;
    } while (leased.length > 0 && Date.now() < until);
    return sent;
  }

  const sent = await Promise.all(webhooks.map(sendTo));
  return sent.reduce((sum, count) => sum + count, 0);
}

async function attempt(
  { message_id, url, body, salts }: Delivery,
  secretOf: SecretOf,
  egress: Egress,
): Promise<Outcome> {
  const secrets = await Promise.all(salts.map(secretOf));
  const headers = await signedHeaders(secrets, message_id, Math.floor(Date.now() / 1000), body);
  const { status, text, retryAfter } = await post(url, headers, body, egress);
  const isTaken = status >= 200 && status < 300;
  const more = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return {
    status,
    response: text,
    retryAfter,
    ...(!isTaken && { problem: `the receiver answered with ${status}${more}` }),
  };
}
