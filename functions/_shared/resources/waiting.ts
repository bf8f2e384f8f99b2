import { z } from "@hono/zod-openapi";
import { codesOf, waitingWords } from "../words/words.ts";

/** A kind of what waits for administrators (app.waiting_kinds). */
export const waitingKind = z.enum(codesOf(waitingWords)).openapi({
  description:
    "shipment: orders to ship. refund: requests. overdue_person_request, person_request: requests of persons. payment: offline payments that another administrator has marked. withdrawal_approval, withdrawal_payment, " +
    "adjustment: to decide or to pay. month_to_close: months that are over. low_stock: products on sale. failed_call: of the outbox. failed_settlement: dead jobs. late_job: scheduled jobs. reconcile_finding: of the latest " +
    "reconciliation. settings_finding: errors and warnings of the configuration check, which a job repeats every ten minutes. stopped_webhook: webhooks that were switched off because they failed.",
});

/** The filter of a list by what waits for the caller. */
export const waitingFilter = <Kind extends keyof typeof waitingWords>(...kinds: [Kind, ...Kind[]]) =>
  z.enum(kinds).optional().openapi({ description: "Only what waits for the caller (GET /adminapi/waiting)." });
