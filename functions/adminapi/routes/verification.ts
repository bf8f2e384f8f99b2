import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { listOf, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const finding = z
  .strictObject({
    check_id: z.string(),
    severity: z.enum(["ok", "hint", "warning", "error"]).openapi({
      description: bilingual(
        "hint: something to know, about which there may be nothing to do.",
        "hint：供参考，可能无须处理。",
      ),
    }),
    subject: z.string().nullable(),
    message: z.string().nullable(),
    hint: z.string().nullable(),
  })
  .openapi("Finding");

const reconcileReport = listOf(
  z
    .strictObject({
      check_name: z.string(),
      subject: z
        .string()
        .nullable()
        .openapi({
          description: bilingual(
            "What it is about, such as `uid 10007` or `order 12`.",
            "所涉及的对象，例如 `uid 10007` 或 `order 12`。",
          ),
        }),
      expected: z.string().nullable(),
      actual: z.string().nullable(),
    })
    .openapi("ReconcileFinding"),
).extend({
  finished_at: time
    .nullable()
    .openapi({ description: bilingual("Null before the first reconciliation.", "首次对账前为 null。") }),
  findings: z
    .int()
    .min(0)
    .openapi({ description: bilingual("All findings. The list has the first hundred.", "差异总数；列表为前一百项。") }),
});

export const verificationRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/verify_agent_config",
    auth: "admin",
    tag: "Levels",
    summary: bilingual(
      "Check levels, tasks, plan and schedule, and run test orders end to end",
      "检查等级、考核任务、方案与定时任务，并端到端运行测试订单",
    ),
    description: bilingual(
      "The test orders belong to test members and are rolled back. Same report as the command hjf:verify-agent-config.",
      "测试订单属于测试会员并会回滚。报告与命令 hjf:verify-agent-config 相同。",
    ),
    response: listOf(finding).extend({ ok: z.boolean() }),
    calls: "get_agent_config_report",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/reconcile",
    auth: "admin",
    tag: "Levels",
    summary: bilingual("The latest finished reconciliation with its findings", "最近一次完成的对账及其差异"),
    response: reconcileReport,
    calls: "get_reconcile_report",
    standby: true,
  }),
] as const;
