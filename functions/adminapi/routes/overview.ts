import { z } from "@hono/zod-openapi";
import { releaseRun } from "../../_shared/resources/release.ts";
import { clock, lateJobs, scheduler } from "../../_shared/resources/system.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, integerText, money, orNull, points, time } from "../../_shared/resources/schemas.ts";

const sums = z.strictObject({
  orders: z.int().min(0).openapi({ description: "Paid orders, by day of payment." }),
  queue_orders: z.int().min(0).openapi({ description: "Paid orders with queue goods, by day of payment." }),
  queue_revenue: money.openapi({
    description: "What was paid for queue goods on the day, less what was refunded on the day. Negative if more was refunded.",
  }),
  commission: money.openapi({ description: "Commission by booking day, less reversals." }),
  payout_share: z
    .number()
    .nullable()
    .openapi({ description: "Commission as a share of the revenue of queue goods. Null without revenue." }),
  points_frozen: points.openapi({ description: "Points granted, less reversals." }),
  points_released: points,
});

const overview = z
  .strictObject({
    days: z.array(sums.extend({ day })).openapi({ description: "Business days, oldest first; the last one is today." }),
    totals: sums,
    last_release: orNull(releaseRun),
    jobs: z.strictObject({
      waiting: z.int().min(0),
      dead: z.int().min(0),
      due_since: time.nullable().openapi({ description: "When the oldest waiting settlement job was created; null if none waits." }),
      is_late: z.boolean().openapi({ description: "Whether that job was created more than five minutes ago." }),
      import_since: time
        .nullable()
        .openapi({ description: "When the unfinished import began that settlements wait for; null if there is none." }),
    }),
    scheduler,
    clock,
    late_jobs: lateJobs,
    last_reconcile: z
      .strictObject({ started_at: time, finished_at: time.nullable(), findings: z.int().min(0), cuts: z.int().min(0) })
      .nullable()
      .openapi({
        description: "The latest reconciliation. finished_at is null while checks are left; cuts counts the runs that were cut.",
      }),
  })
  .openapi("Overview");

const firstSteps = z
  .strictObject({
    list: z
      .array(
        z.strictObject({
          step: z.enum(["identity", "product", "article", "payment", "share", "withdrawals", "colleague", "order"]),
          is_done: z.boolean(),
        }),
      )
      .openapi({ description: "Empty if all steps are done, or an administrator has dismissed them." }),
  })
  .openapi("FirstSteps");

export const overviewRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/overview",
    auth: "admin",
    tag: "Overview",
    summary: "Totals of the last business days, and the state of the jobs",
    request: { query: z.strictObject({ days: integerText(1, 366).optional().openapi({ default: 30 }) }) },
    response: overview,
    calls: "get_overview",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/first_steps",
    auth: "admin",
    tag: "Overview",
    summary: "The first steps of a new store, and which are done",
    description: "Computed from the tables: a step is done as soon as the store shows it.",
    response: firstSteps,
    calls: "get_first_steps",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/first_steps/dismissal",
    auth: "admin",
    tag: "Overview",
    summary: "Dismiss the first steps for all administrators",
    response: firstSteps,
    calls: "dismiss_first_steps",
  }),
] as const;
