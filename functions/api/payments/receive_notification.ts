import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Arguments } from "../../_shared/database/database.ts";
import { readResult } from "../../_shared/database/result.ts";
import { errorEntry } from "../../_shared/responses/error_registry.ts";
import { Problem } from "../../_shared/responses/problem.ts";
import type {
  CreateReader,
  Notification,
  NotificationReader,
  PaymentEvent,
  ProviderEvent,
  RefundEvent,
  TransferEvent,
} from "../../_shared/providers/notification.ts";
import { Unverified } from "../../_shared/providers/signed_message.ts";
import { readBody } from "../../_shared/http/read_body.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { createWechatPay } from "../../_shared/providers/wechat_pay/notifications.ts";
import { createHmac, createLocal } from "./hmac.ts";

/** All readers, by the name of the provider that is used in the path and stored with the payment. */
const READERS: Record<string, CreateReader> = { wechat: createWechatPay, hmac: createHmac, local: createLocal };

/**
 * Handles notifications of the configured providers. Providers retry until they receive a success response. They get
 * one for a notification that was recorded, also with the outcome attention, but not for one that was refused or could
 * not be recorded.
 */
export function receiveNotifications(service: Service): RouteHandler {
  const readers = new Map<string, NotificationReader>();
  for (const [name, create] of Object.entries(READERS)) {
    const reader = create(service.env);
    if (reader) readers.set(name, reader);
  }

  return async (c) => {
    const name = c.req.param("provider") ?? "";
    const reader = readers.get(name);
    if (!reader) throw new Problem("route_not_found");
    const notification = { headers: c.req.raw.headers, body: await readBody(c), receivedAt: new Date() };
    try {
      await receive(service, name, reader, notification);
      return respondJson(c, JSON.stringify({ code: "SUCCESS", message: "OK" }));
    } catch (error) {
      return respondWithFailure(c, error instanceof Problem ? error : new Problem("internal_error", { cause: error }));
    }
  };
}

async function receive(
  service: Service,
  name: string,
  reader: NotificationReader,
  notification: Notification,
): Promise<void> {
  const event = await reader.read(notification).catch(async (error: unknown) => {
    if (!(error instanceof Unverified)) throw error;
    await service.database.callForVisitor("record_unverified_notification", {
      p_provider: name,
      p_reason: error.reason,
    });
    throw new Problem("signature_invalid", { cause: error });
  });
  const outcome = await recordEvent(service, name, event);
  if (outcome === "refused") throw new Problem("payment_refused");
  if (outcome === "paid") service.settle();
}

/** What the recording of an event returns. */
const recorded = z.object({ outcome: z.string() });

/** Records an event and applies it to its order, refund or withdrawal. @returns the outcome */
async function recordEvent(
  { database }: Pick<Service, "database">,
  provider: string,
  event: ProviderEvent,
): Promise<string> {
  const result =
    event.kind === "refund"
      ? await database.callAsService("record_refund_notification", refundArguments(provider, event))
      : event.kind === "transfer"
        ? await database.callAsService("record_transfer_notification", transferArguments(provider, event))
        : await database.callAsService("record_payment_notification", paymentArguments(provider, event));
  return readResult(recorded, result).outcome;
}

function paymentArguments(provider: string, event: PaymentEvent): Arguments<"record_payment_notification"> {
  return {
    p_provider: provider,
    p_event_id: event.eventId,
    p_kind: event.kind,
    p_fault: event.fault,
    p_order_no: event.orderNo,
    p_pay_ref: event.payRef,
    p_amount_minor: event.amountMinor,
    p_currency: event.currency,
  };
}

function refundArguments(provider: string, event: RefundEvent): Arguments<"record_refund_notification"> {
  return {
    p_provider: provider,
    p_event_id: event.eventId,
    p_payment_no: event.paymentNo,
    p_pay_ref: event.payRef,
    p_amount_minor: event.amountMinor,
    p_refund_no: event.refundNo,
    p_state: event.reported.state,
    p_provider_ref: event.reported.refundId,
    p_reason: event.reported.reason,
  };
}

function transferArguments(provider: string, event: TransferEvent): Arguments<"record_transfer_notification"> {
  return {
    p_provider: provider,
    p_event_id: event.eventId,
    p_withdrawal_no: event.withdrawalNo,
    p_openid: event.openid,
    p_amount_minor: event.amountMinor,
    p_state: event.reported.state,
    p_provider_ref: event.reported.transferId,
    p_reason: event.reported.reason,
  };
}

/** Providers only evaluate the status. The body explains it in the provider's log. */
function respondWithFailure(c: Context, problem: Problem): Response {
  const { status, retry_after } = errorEntry(problem.code);
  // The request log reads the error from the context.
  c.error = problem;
  const headers: Record<string, string> = retry_after ? { "retry-after": String(retry_after) } : {};
  return respondJson(
    c,
    JSON.stringify({ code: "FAIL", message: problem.code }),
    status as ContentfulStatusCode,
    headers,
  );
}
