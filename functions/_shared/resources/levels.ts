import { z } from "@hono/zod-openapi";
import { points, text } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** What a task counts: the types of tasks. */
export const taskType = z.enum(VALUE_LISTS["agent_level_tasks.type"]);

const target = z.int().min(1).max(2_147_483_647).optional();

const settings = z.strictObject({
  grade: z.int().min(0).max(100),
  name: text(1, 50),
  name_zh: text(1, 50),
  direct_points: points.openapi({
    description: bilingual(
      "Points for the buyer's referrer, per unit of queue goods.",
      "买家推荐人获得的积分，按每件报单商品计。",
    ),
  }),
  umbrella_points: points.openapi({
    description: bilingual(
      "Points for ancestors of the referrer, per unit, less the umbrella points of members below.",
      "推荐人的上级获得的每件积分，须减去其下方会员的级差积分。",
    ),
  }),
  is_active: z.boolean(),
  tasks: z
    .strictObject(
      Object.fromEntries(taskType.options.map((type) => [type, target])) as Record<
        z.infer<typeof taskType>,
        typeof target
      >,
    )
    .openapi({
      description: bilingual("Targets by type of task. All must be met.", "各类考核任务的目标，须全部达到。"),
    }),
});

/** A level with its points and tasks. */
export const agentLevel = settings.openapi("AgentLevel");

/** What let a member rise by tasks. */
export const riseCause = z.enum(VALUE_LISTS["level_changes.cause"]).openapi({
  description: bilingual(
    "order: an order was settled. refund: a request for a refund was answered or taken back. assess: a member below is assessed again. refer: a member with orders joined below. import: an import has ended. hold: the hold of the level has ended.",
    "order：订单已结算。refund：退款申请已答复或已撤回。assess：伞下会员恢复考核。refer：有订单的会员加入伞下。import：数据迁移已结束。hold：等级已解除锁定。",
  ),
});

/** How far a member is with the tasks of the grade above. */
export const nextLevel = z
  .strictObject({
    agent_level: z.int().min(1),
    agent_level_name: z.string(),
    in_review: z.boolean().openapi({
      description: bilingual(
        "Whether all tasks are met and the store is reviewing the level, as after a change of the level settings.",
        "是否已完成全部考核任务且商城正在复核等级，例如修改等级设置之后。",
      ),
    }),
    tasks: z.array(
      z.strictObject({
        type: taskType,
        target: z.int(),
        current: z.int().min(0),
        missing: z.int().min(0),
        met: z.boolean(),
      }),
    ),
  })
  .nullable()
  .openapi({
    description: bilingual("The next active grade; null at the top.", "下一个启用的级别；已是最高级时为 null。"),
  });

/** The new settings of all levels. */
export const agentLevelsDraft = z
  .array(settings.extend({ is_active: z.boolean().default(true) }).openapi("AgentLevelDraft"))
  .min(1)
  .max(101)
  .openapi({
    description: bilingual("All levels, by grade, from 0 without gaps.", "全部等级，按级别排列，从 0 起连续。"),
  });
