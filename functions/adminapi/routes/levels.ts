import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { agentLevel, agentLevelsDraft, taskType } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idText, integerText, listOf, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const levels = listOf(agentLevel)
  .extend({
    version: z.int().min(1),
    versions: z
      .array(z.strictObject({ version: z.int().min(1), created_by: actor, created_at: time }))
      .openapi({ description: "The last twenty, newest first." }),
  })
  .openapi("AgentLevels");

const reviewed = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    agent_level: z.int().min(0),
    level_is_held: z.boolean(),
    reached_level: z
      .int()
      .min(0)
      .nullable()
      .openapi({
        description: bilingual(
          "The grade that the member would reach today. Null for a member at the top grade with too many members below to count them here.",
          "会员今天会达到的级别。最高级会员伞下人数过多、无法在此统计时为 null。",
        ),
      }),
    missing: z
      .array(z.strictObject({ agent_level: z.int().min(1), type: taskType, target: z.int(), current: z.int() }))
      .nullable()
      .openapi({
        description: bilingual(
          "The tasks that are not met, of the grades above the reached one up to the member's own.",
          "未达到的考核任务：从应达级别的上一级到会员现有级别。",
        ),
      }),
  })
  .openapi("ReviewedMember");

export const levelRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/agent/level/review",
    auth: "admin",
    tag: "Levels",
    summary: bilingual(
      "Members who would not reach their level today, or who would rise",
      "按今日标准达不到现有等级或可以升级的会员",
    ),
    description: bilingual(
      "Levels do not fall by themselves after refunds, and new level settings raise nobody by themselves. A page reads a limited number of members and can be shorter than limit, or empty, while next_cursor is not null.",
      "退款后等级不会自动下降，修改等级设置也不会自动升级。每页读取的会员数有限：next_cursor 不为 null 时，本页条数可能少于 limit，甚至为空。",
    ),
    request: {
      query: z.strictObject({
        limit: integerText(1, 100).optional().openapi({ default: 20 }),
        cursor: idText.optional().openapi({ description: "next_cursor of the previous page." }),
        kind: z
          .enum(["fall", "rise"])
          .optional()
          .openapi({
            default: "fall",
            description: bilingual(
              "fall: members who would not reach their level. rise: members who meet the tasks of a higher level and have not risen.",
              "fall：达不到现有等级的会员。rise：已完成更高等级的考核任务但尚未升级的会员。",
            ),
          }),
      }),
    },
    response: z.strictObject({ list: z.array(reviewed), next_cursor: id.nullable() }),
    calls: "get_level_review",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/agent/level",
    auth: "admin",
    tag: "Levels",
    summary: bilingual("The levels with their points and tasks", "等级及其积分与考核任务"),
    response: levels,
    calls: "get_agent_levels",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/agent/level",
    auth: "admin",
    tag: "Levels",
    summary: bilingual("Replace all levels", "替换全部等级"),
    description: bilingual(
      "A grade that members hold can be switched off but not removed.",
      "有会员持有的等级可以停用，但不能移除。",
    ),
    request: {
      body: z.strictObject({
        levels: agentLevelsDraft,
        version: z
          .int()
          .min(1)
          .max(2_147_483_647)
          .optional()
          .openapi({
            description: bilingual(
              "The version that was edited. The request fails with changed_meanwhile if another version is in force.",
              "所编辑的版本。现行版本已不是该版本时，请求以 changed_meanwhile 失败。",
            ),
          }),
      }),
    },
    response: levels,
    errors: ["levels_invalid", "changed_meanwhile"],
    calls: "set_agent_levels",
  }),
] as const;
