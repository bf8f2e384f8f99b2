import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { listOf, time, visibleParagraphs } from "../../_shared/resources/schemas.ts";
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

const difference = {
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
};

const reconcileReport = listOf(
  z
    .strictObject({
      ...difference,
      advice: z.string().openapi({ description: bilingual("What to do, in English.", "处理办法（英文）。") }),
      advice_zh: z.string().openapi({ description: bilingual("What to do, in Chinese.", "处理办法（中文）。") }),
    })
    .openapi("ReconcileFinding"),
).extend({
  explained: z
    .array(
      z
        .strictObject({ ...difference, reason: z.string(), explained_by: actor, explained_at: time })
        .openapi("ExplainedFinding"),
    )
    .openapi({
      description: bilingual(
        "The latest twenty explanations. What is explained counts again when its figures change.",
        "最近二十条说明。数字再次变化时，已说明的差异会重新列出。",
      ),
    }),
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
  defineRoute({
    method: "post",
    path: "/adminapi/hjf/reconcile/explain",
    auth: "admin",
    tag: "Levels",
    summary: bilingual("Explain a finding of the latest reconciliation", "说明最近一次对账的差异"),
    description: bilingual(
      "The finding no longer counts until its figures change. The explanation is kept, and the action log has it.",
      "该差异不再计数，直到其数字变化。说明会保留，并记入操作日志。",
    ),
    request: { body: z.strictObject({ ...difference, reason: visibleParagraphs(500) }) },
    response: reconcileReport,
    errors: ["finding_not_found"],
    calls: "explain_finding",
  }),
] as const;
