import { z } from "@hono/zod-openapi";
import { codesOf, waitingWords } from "../words/words.ts";
import { bilingual } from "../words/bilingual.ts";

/** A kind of what waits for administrators (app.waiting_kinds). */
export const waitingKind = z.enum(codesOf(waitingWords)).openapi({
  description: bilingual(
    "shipment: orders to ship. refund: requests. overdue_person_request, person_request: requests of persons. payment: offline payments that another administrator has marked. withdrawal_approval, withdrawal_payment, " +
      "adjustment: to decide or to pay. month_to_close: months that are over. low_stock: products on sale. failed_call: of the outbox. failed_settlement: dead jobs. late_job: scheduled jobs. reconcile_finding: of the latest " +
      "reconciliation. settings_finding: errors and warnings of the configuration check, which a job repeats every ten minutes. stopped_webhook: webhooks that were switched off because they failed.",
    "shipment：待发货的订单。refund：退款申请。overdue_person_request、person_request：个人信息请求。payment：已由另一位管理员登记的线下付款。withdrawal_approval、withdrawal_payment、adjustment：待审批或待付款。month_to_close：已结束的月份。low_stock：在售商品。failed_call：待处理请求中失败的。failed_settlement：已停止重试的结算任务。late_job：定时任务。reconcile_finding：最近一次对账的差异。settings_finding：配置检查的错误与警告，每十分钟由定时任务重新检查。stopped_webhook：因失败而停用的 Webhook。",
  ),
});

/** The filter of a list by what waits for the caller. */
export const waitingFilter = <Kind extends keyof typeof waitingWords>(...kinds: [Kind, ...Kind[]]) =>
  z
    .enum(kinds)
    .optional()
    .openapi({
      description: bilingual(
        "Only what waits for the caller (GET /adminapi/waiting).",
        "仅待当前管理员处理的（GET /adminapi/waiting）。",
      ),
    });
