import { z } from "@hono/zod-openapi";
import type { Environment } from "../ground/env.ts";
import { isLoopback } from "../ground/loopback.ts";
import {
  type PaymentProvider,
  type ReportedPayment,
  type PaymentStart,
  ProviderRefused,
  type ReportedRefund,
} from "./provider.ts";

const DEADLINE_MS = 5000;

const started = z.object({ url: z.url() });
const reportedPayment = z.discriminatedUnion("state", [
  z.object({ state: z.literal("paid"), transactionId: z.string(), amountMinor: z.int(), currency: z.string() }),
  z.object({ state: z.enum(["open", "closed", "unknown"]) }),
]);
const reportedRefund = z.object({
  state: z.enum(["accepted", "succeeded", "failed", "unknown"]),
  refundId: z.string().optional(),
  reason: z.string().optional(),
});
const refusal = z.object({ reason: z.string() });

/**
 * The provider of the local stack (scripts/stack/payments), whose payers pay with a button. It cannot be enabled on a
 * hosted project, even with its settings: the project itself must have a loopback address, and SUPABASE_URL, which
 * Supabase sets, has none there.
 */
export function createLocalProvider(env: Environment): PaymentProvider | undefined {
  const [url, secret] = [env.get("STORE_LOCAL_PAYMENTS_URL"), env.get("STORE_LOCAL_PAYMENTS_SECRET")];
  if (!url && !secret) return undefined;
  if (!url || !secret)
    throw new Error("Set both of STORE_LOCAL_PAYMENTS_URL, STORE_LOCAL_PAYMENTS_SECRET, or none of them.");
  if (![url, env.get("SUPABASE_URL") ?? ""].every(isLoopback)) {
    throw new Error("STORE_LOCAL_PAYMENTS_URL is for the local stack only: it takes no real payments. Remove it.");
  }
  const call = async <Output>(
    method: "GET" | "POST",
    path: string,
    schema: z.ZodType<Output>,
    body?: unknown,
  ): Promise<Output> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const content: unknown = await response.json();
    if (response.status === 422) throw new ProviderRefused(refusal.parse(content).reason);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return schema.parse(content);
  };
  return {
    name: "local",
    methods: ["local"],
    start: async ({ attemptNo, amountMinor, description, expiresAt }): Promise<PaymentStart> => {
      const { url } = await call("POST", "/payments", started, {
        attemptNo,
        amountMinor,
        description,
        expiresAt: expiresAt.toISOString(),
      });
      return { kind: "local", url };
    },
    query: (attemptNo): Promise<ReportedPayment> => call("GET", `/payments/${attemptNo}`, reportedPayment),
    close: async (attemptNo) => {
      await call("POST", `/payments/${attemptNo}/close`, z.unknown());
    },
    refund: (terms): Promise<ReportedRefund> => call("POST", "/refunds", reportedRefund, terms),
    queryRefund: (refundNo): Promise<ReportedRefund> => call("GET", `/refunds/${refundNo}`, reportedRefund),
  };
}
