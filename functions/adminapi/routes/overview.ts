import { z } from "@hono/zod-openapi";
import { payoutShare } from "../../_shared/resources/payout_share.ts";
import { releaseRun } from "../../_shared/resources/release.ts";
import { clock, lateJobs, scheduler } from "../../_shared/resources/system.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, integerText, money, orNull, points, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const sums = z.strictObject({
  orders: z
    .int()
    .min(0)
    .openapi({ description: bilingual("Paid orders, by day of payment.", "按付款日统计的已付款订单数。") }),
  queue_orders: z
    .int()
    .min(0)
    .openapi({
      description: bilingual(
        "Paid orders with queue goods, by day of payment.",
        "按付款日统计的含报单商品的已付款订单数。",
      ),
    }),
  queue_revenue: money.openapi({
    description: bilingual(
      "What was paid for queue goods on the day, less what was refunded on the day. Negative if more was refunded.",
      "当日报单商品的实付金额减当日退款；退款较多时为负。",
    ),
  }),
  commission: money.openapi({
    description: bilingual("Commission by booking day, less reversals.", "按入账日统计的佣金，已扣除冲回。"),
  }),
  payout_share: payoutShare,
  points_frozen: points.openapi({
    description: bilingual("Points granted, less reversals.", "发放的积分，已扣除冲回。"),
  }),
  points_released: points,
});

const overview = z
  .strictObject({
    days: z.array(sums.extend({ day })).openapi({
      description: bilingual(
        "Business days, oldest first; the last one is today.",
        "营业日，最早的在前，最后一天为今天。",
      ),
    }),
    totals: sums,
    last_release: orNull(releaseRun),
    jobs: z.strictObject({
      waiting: z.int().min(0),
      dead: z.int().min(0),
      due_since: time
        .nullable()
        .openapi({ description: "When the oldest waiting settlement job was created; null if none waits." }),
      is_late: z.boolean().openapi({
        description: bilingual(
          "Whether that job was created more than five minutes ago.",
          "等待最久的结算任务是否创建于五分钟之前。",
        ),
      }),
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
        description: bilingual(
          "The latest reconciliation. finished_at is null while checks are left; cuts counts the runs that were cut.",
          "最近一次对账。仍有未完成的检查时 finished_at 为 null；cuts 为被中断的运行次数。",
        ),
      }),
  })
  .openapi("Overview");

const firstSteps = z
  .strictObject({
    list: z
      .array(
        z.strictObject({
          step: z.enum([
            "identity",
            "product",
            "plan",
            "levels",
            "article",
            "payment",
            "share",
            "withdrawals",
            "colleague",
            "order",
          ]),
          is_done: z.boolean(),
        }),
      )
      .openapi({
        description: bilingual(
          "Empty if all steps are done, or an administrator has dismissed them.",
          "全部步骤已完成，或管理员已关闭时为空。",
        ),
      }),
  })
  .openapi("FirstSteps");

export const overviewRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/overview",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("Totals of the last business days, and the state of the jobs", "最近营业日的合计与后台任务状态"),
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
    summary: bilingual("The first steps of a new store, and which are done", "新商城的入门步骤及完成情况"),
    description: bilingual(
      "Computed from the tables: a step is done as soon as the store shows it.",
      "由数据表计算：商城中出现结果即视为完成。",
    ),
    response: firstSteps,
    calls: "get_first_steps",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/first_steps/dismissal",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("Dismiss the first steps for all administrators", "为所有管理员关闭入门步骤"),
    response: firstSteps,
    calls: "dismiss_first_steps",
  }),
] as const;
