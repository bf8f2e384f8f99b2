import { z } from "@hono/zod-openapi";
import { settlement } from "../../_shared/resources/settlement.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, paging, time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

const jobState = z.enum(VALUE_LISTS["settlement_jobs.state"]);

const job = z
  .strictObject({
    order_id: id,
    state: jobState,
    attempts: z.int().min(0),
    run_after: time,
    last_error: z.string().nullable(),
    created_at: time,
  })
  .openapi("SettlementJob");

export const settlementRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/jobs",
    auth: "admin",
    tag: "Settlement jobs",
    summary: "Waiting and dead settlement jobs, oldest order first",
    request: { query: paging.extend({ state: jobState.optional() }) },
    response: listOf(job),
    calls: "get_jobs",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/hjf/jobs/{id}/retry",
    auth: "admin",
    tag: "Settlement jobs",
    summary: "Retry the settlement job of an order now",
    description: "The id of a job is the id of its order.",
    request: { path: idPath },
    response: z.strictObject({ order_id: id, state: jobState }),
    errors: ["own_account", "order_not_found", "job_not_found"],
    calls: "retry_job",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/order/{id}/settlement",
    auth: "admin",
    tag: "Orders",
    summary: "Who was paid what for an order, and why",
    request: { path: idPath },
    response: settlement,
    errors: ["order_not_found"],
    calls: "get_settlement",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
] as const;
