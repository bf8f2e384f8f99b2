import { z } from "@hono/zod-openapi";
import { readResult } from "../../_shared/database/result.ts";
import { log } from "../../_shared/ground/log.ts";
import { queryPayment } from "../../_shared/providers/payments.ts";
import { openProviders } from "../../_shared/providers/providers.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";

/** What is read of the result of `get_payment`. */
const payment = z.object({
  attempt: z.object({ attempt_no: z.string(), provider: z.string(), state: z.string() }).nullable(),
});

/**
 * Returns the state of the payment of an order. Notifications may be late or lost, so the provider of an open payment
 * is queried.
 */
export function readPayment(service: Service, route: Route): RouteHandler {
  const { database } = service;
  const providers = openProviders(service.env);

  /** @returns whether a response was recorded */
  async function ask({ attempt }: z.infer<typeof payment>): Promise<boolean> {
    const provider = attempt?.state === "open" ? providers.get(attempt.provider) : undefined;
    if (!attempt || !provider) return false;
    const claimed = await database.callAsService("claim_payment_query", { p_attempt_no: attempt.attempt_no });
    if (claimed !== "true") return false;
    try {
      await queryPayment(service, provider, attempt.attempt_no);
      return true;
    } catch (error) {
      log("warning", "a payment could not be queried", { provider: provider.name, error: String(error) });
      return false;
    }
  }

  return async (c, claims) => {
    const { path } = (await readInput(c, route)) as { path: { id: number } };
    const read = () => database.callAsCaller(claims, "get_payment", { p_order_id: path.id }, { isPayment: true });
    const known = await read();
    return respondJson(c, (await ask(readResult(payment, known))) ? await read() : known);
  };
}
