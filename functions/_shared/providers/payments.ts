import { z } from "@hono/zod-openapi";
import type { Database } from "../database/database.ts";
import { readResult } from "../database/result.ts";
import type { Settle } from "../routes/settlement.ts";
import { type PaymentProvider, type ReportedPayment, ProviderRefused } from "./provider.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** The state of an attempt after what the provider reported was recorded, and the outcome of a payment. */
const recordedState = z.object({
  state: z.enum(VALUE_LISTS["payment_attempts.state"]),
  outcome: z.string().nullable(),
});
type Recorded = z.infer<typeof recordedState>;

/** What the recording of payments needs. */
interface Store {
  database: Database;
  /** Starts the settlement of paid orders. */
  settle: Settle;
}

/** Queries the provider for the state of an attempt and records the response. */
export async function queryPayment(store: Store, provider: PaymentProvider, attemptNo: string): Promise<Recorded> {
  return record(store, attemptNo, await provider.query(attemptNo), false);
}

/**
 * Closes an attempt at its provider, unless it is paid, and records its state. The state is queried after the call: its
 * response alone is not relied on.
 */
export async function closePayment(store: Store, provider: PaymentProvider, attemptNo: string): Promise<Recorded> {
  const before = await provider.query(attemptNo);
  if (before.state === "paid" || before.state === "closed") return record(store, attemptNo, before, false);
  const accepted = await provider.close(attemptNo).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ProviderRefused) return false;
      throw error;
    },
  );
  return record(store, attemptNo, await provider.query(attemptNo), accepted);
}

async function record(
  { database, settle }: Store,
  attemptNo: string,
  reported: ReportedPayment,
  closeAccepted: boolean,
): Promise<Recorded> {
  const recorded = readResult(
    recordedState,
    await database.callAsService("record_attempt_state", {
      p_attempt_no: attemptNo,
      p_state: reported.state,
      ...(reported.state === "paid" && {
        p_pay_ref: reported.transactionId,
        p_amount_minor: reported.amountMinor,
        p_currency: reported.currency,
      }),
      p_close_accepted: closeAccepted,
    }),
  );
  if (recorded.outcome === "paid") settle();
  return recorded;
}
