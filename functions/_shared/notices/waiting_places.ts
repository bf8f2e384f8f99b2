import type { waitingWords } from "../words/words.ts";

/** The page of the console that lists the rows of each kind of what waits, and no others. */
export const waitingPlaces = {
  shipment: "/shipping",
  refund: "/orders?waiting=refund",
  overdue_person_request: "/person-requests?waiting=overdue_person_request",
  person_request: "/person-requests?waiting=person_request",
  payment: "/orders?waiting=payment",
  withdrawal_approval: "/withdrawals?waiting=withdrawal_approval",
  withdrawal_payment: "/withdrawals?waiting=withdrawal_payment",
  adjustment: "/adjustments?waiting=adjustment",
  month_to_close: "/finance",
  low_stock: "/products?is_low=true&is_show=true",
  failed_call: "/outbox?state=failed",
  failed_settlement: "/jobs?state=dead",
  late_job: "/schedule",
  reconcile_finding: "/check?tab=reconcile",
  settings_finding: "/check",
  stopped_webhook: "/webhooks",
} as const satisfies Record<keyof typeof waitingWords, string>;
