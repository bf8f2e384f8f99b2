import { z } from "@hono/zod-openapi";
import { settlement } from "../../_shared/resources/settlement.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, paging, time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

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
    summary: bilingual(
      "Waiting and dead settlement jobs, oldest order first",
      "等待中与已停止重试的结算任务，最早的订单在前",
    ),
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
    summary: bilingual("Retry the settlement job of an order now", "立即重试订单的结算任务"),
    description: bilingual("The id of a job is the id of its order.", "任务的 id 即其订单的 id。"),
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
    summary: bilingual("Who was paid what for an order, and why", "订单向谁支付了多少，以及原因"),
    request: { path: idPath },
    response: settlement,
    errors: ["order_not_found"],
    calls: "get_settlement",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
] as const;
