import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { callerAddress } from "../../_shared/access/caller_address.ts";
import { readResult } from "../../_shared/database/result.ts";
import { closePayment } from "../../_shared/providers/payments.ts";
import {
  type PaymentMethod,
  type PaymentProvider,
  type PaymentStart,
  ProviderRefused,
} from "../../_shared/providers/provider.ts";
import { openProviders } from "../../_shared/providers/providers.ts";
import { Problem } from "../../_shared/responses/problem.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";

interface Request {
  provider: string;
  method: PaymentMethod;
  openid?: string;
}

/** What `open_payment` returns. */
const openedPayment = z.object({
  attempt_no: z.string(),
  expires_at: z.string(),
  amount_minor: z.int(),
  description: z.string(),
  must_close: z.boolean(),
  openid: z.string().nullable(),
  appid: z.string().nullable(),
});
type OpenedPayment = z.infer<typeof openedPayment>;

/**
 * Starts the payment of an order: opens an attempt, calls the provider, records its response. No lock and no connection
 * is held during the call. A client that gets no response repeats the request and continues the same attempt, so the
 * payment is made once.
 */
export function startPayment(service: Service, route: Route): RouteHandler {
  const { database } = service;
  const providers = openProviders(service.env);

  return async (c, claims) => {
    const { path, body } = (await readInput(c, route)) as { path: { id: number }; body: Request };
    const provider = providers.get(body.provider);
    if (!provider?.methods.includes(body.method)) throw new Problem("provider_not_configured");
    // Raises order_not_found unless the caller is the buyer.
    await database.callAsCaller(claims, "get_payment", { p_order_id: path.id }, { isPayment: true });
    const payment = await openPayment(service, provider, path.id, body);
    const start = await callProvider(service, provider, payment, body, c);
    await database.callAsService("record_payment_start", { p_attempt_no: payment.attempt_no });
    return respondJson(c, JSON.stringify({ attempt_no: payment.attempt_no, expires_at: payment.expires_at, start }));
  };
}

/** Opens an attempt. An open attempt with other values is ended first. */
async function openPayment(
  service: Service,
  provider: PaymentProvider,
  orderId: number,
  { method, openid }: Request,
): Promise<OpenedPayment> {
  const args = { p_order_id: orderId, p_provider: provider.name, p_method: method, p_openid: openid };
  const open = async () => readResult(openedPayment, await service.database.callAsService("open_payment", args));
  const opened = await open();
  if (!opened.must_close) return opened;
  await closePayment(service, provider, opened.attempt_no).catch(unavailable);
  const reopened = await open();
  if (reopened.must_close) throw new Problem("provider_unavailable");
  return reopened;
}

async function callProvider(
  { database, env }: Service,
  provider: PaymentProvider,
  { attempt_no, expires_at, amount_minor, description, openid, appid }: OpenedPayment,
  { method }: Request,
  c: Context,
): Promise<PaymentStart> {
  const clientIp = callerAddress(c, env);
  try {
    return await provider.start({
      attemptNo: attempt_no,
      amountMinor: amount_minor,
      description,
      method,
      expiresAt: new Date(expires_at),
      ...(openid !== null && { openid }),
      ...(appid !== null && { appid }),
      ...(clientIp && { clientIp }),
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) return unavailable(error);
    await database.callAsService("record_payment_start", { p_attempt_no: attempt_no, p_refusal: error.reason });
    throw new Problem("provider_refused", { cause: error });
  }
}

/** It is unknown whether the call had an effect. The attempt stays open, and a repeated request continues it. */
function unavailable(cause: unknown): never {
  throw cause instanceof Problem ? cause : new Problem("provider_unavailable", { cause });
}
