import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { listOf, time } from "../../_shared/resources/schemas.ts";

const finding = z
  .strictObject({
    check_id: z.string(),
    severity: z
      .enum(["ok", "hint", "warning", "error"])
      .openapi({ description: "hint: something to know, about which there may be nothing to do." }),
    subject: z.string().nullable(),
    message: z.string().nullable(),
    hint: z.string().nullable(),
  })
  .openapi("Finding");

const reconcileReport = listOf(
  z
    .strictObject({
      check_name: z.string(),
      subject: z.string().nullable().openapi({ description: "What it is about, such as `uid 10007` or `order 12`." }),
      expected: z.string().nullable(),
      actual: z.string().nullable(),
    })
    .openapi("ReconcileFinding"),
).extend({
  finished_at: time.nullable().openapi({ description: "Null before the first reconciliation." }),
  findings: z.int().min(0).openapi({ description: "All findings. The list has the first hundred." }),
});

export const verificationRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/verify_agent_config",
    auth: "admin",
    tag: "Levels",
    summary: "Check levels, tasks, plan and schedule, and run test orders end to end",
    description: "The test orders belong to test members and are rolled back. Same report as the command hjf:verify-agent-config.",
    response: listOf(finding).extend({ ok: z.boolean() }),
    calls: "get_agent_config_report",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/reconcile",
    auth: "admin",
    tag: "Levels",
    summary: "The latest finished reconciliation with its findings",
    response: reconcileReport,
    calls: "get_reconcile_report",
    standby: true,
  }),
] as const;
