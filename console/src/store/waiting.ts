import type { Admin } from "../../../client/index.ts";
import { useAdmin } from "./store.ts";

export type WaitingKind = Admin["Waiting"]["list"][number]["kind"];

/** The page of the menu where the rows of each kind are, and the address of the list that shows them and no others. */
export const waitingPlaces = {
  shipment: { page: "orders", to: "/orders?waiting=shipment" },
  refund: { page: "orders", to: "/orders?waiting=refund" },
  payment: { page: "orders", to: "/orders?waiting=payment" },
  withdrawal_approval: { page: "withdrawals", to: "/withdrawals?waiting=withdrawal_approval" },
  withdrawal_payment: { page: "withdrawals", to: "/withdrawals?waiting=withdrawal_payment" },
  adjustment: { page: "adjustments", to: "/adjustments?waiting=adjustment" },
  failed_call: { page: "outbox", to: "/outbox?state=failed" },
  failed_settlement: { page: "settlement", to: "/jobs?state=dead" },
  late_job: { page: "schedule", to: "/schedule" },
  reconcile_finding: { page: "verification", to: "/check?tab=reconcile" },
  settings_finding: { page: "verification", to: "/check" },
} as const satisfies Record<WaitingKind, { page: string; to: string }>;

const lookAgain = 60_000;

/**
 * What waits for the signed-in administrator. Everything that shows it shares one request a minute, which the store answers with 304 while nothing has
 * changed. Returning to the window asks at once.
 */
export function useWaiting() {
  return useAdmin("/adminapi/waiting", {}, { refetchInterval: lookAgain, refetchOnWindowFocus: "always" });
}
