import { z } from "@hono/zod-openapi";
import { day, time } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** The fields of the public metadata, for schemas that extend it. */
export const metadataFields = z.strictObject({
  name: z.string(),
  version: z.string(),
  api_version: z.string(),
  commit: z.string().nullable(),
  site_name: z.string(),
  logo: z
    .string()
    .nullable()
    .openapi({ description: bilingual("The address of a picture.", "图片的地址。") }),
  colour: z.string().openapi({
    description: bilingual("The main colour of the pages for members.", "会员页面的主题色。"),
    example: "#c8102e",
  }),
  contact_phone: z
    .string()
    .nullable()
    .openapi({ description: bilingual("The phone number at which members reach the store.", "会员联系商城的电话。") }),
  contact_wechat: z
    .string()
    .nullable()
    .openapi({ description: bilingual("The WeChat ID at which members reach the store.", "会员联系商城的微信号。") }),
  contact_hours: z
    .string()
    .nullable()
    .openapi({
      description: bilingual("When members reach the store, as people read it.", "服务时间，供人阅读的文字。"),
    }),
});

/** The public metadata of this installation. */
export const metadata = metadataFields.openapi("SystemMetadata");

/** Whether the scheduled jobs run. */
export const scheduler = z.enum(["ok", "missing", "not_scheduled", "late"]).openapi({
  description: bilingual(
    "missing: pg_cron is not installed, and nothing else runs the jobs. not_scheduled: pg_cron does not have all active jobs. late: the jobs are scheduled, but the settlement of waiting orders did not run when it was due.",
    "missing：未安装 pg_cron，且没有其他程序运行任务。not_scheduled：pg_cron 中缺少启用的任务。late：任务已安排，但等待中订单的结算未按时运行。",
  ),
});

/** Which scheduled jobs are late. */
export const lateJobs = z.array(z.string()).openapi({
  description: bilingual(
    "Names of the scheduled jobs that did not run when they were due.",
    "未按时运行的定时任务的名称。",
  ),
  example: ["fsgx_release_frozen_points"],
});

/** Whether the clock of the database can be right. */
export const clock = z.enum(["ok", "doubtful", "differs"]).openapi({
  description: bilingual(
    "doubtful: more than six hours have passed since the last heartbeat of the scheduler, so either the store was off or the clock has jumped. No points are released until a second clock agrees. differs: the clock of an edge function is more than five minutes away from that of the database.",
    "doubtful：距调度程序上次心跳超过六小时，说明商城曾停机或时钟跳变；第二时钟确认前不释放积分。differs：边缘函数与数据库的时钟相差五分钟以上。",
  ),
});

/** The health of the database and its jobs, for schemas that extend it. */
export const healthFields = z.strictObject({
  status: z.enum(["ok", "degraded"]).openapi({
    description: bilingual(
      "degraded: an operator must act, because a settlement job is dead or has waited for more than five minutes, no scheduler runs the jobs, a scheduled job did not run when it was due, the clock may be wrong, a guarantee of the database is switched off, a shard does not answer, or the functions do not serve the schema.",
      "degraded：须由运维人员处理，因为有结算任务已停止重试或等待超过五分钟、没有调度程序运行定时任务、有定时任务未按时运行、时钟可能有误、数据库的某项保障被关闭、有分片没有响应，或边缘函数不支持数据库的版本。",
    ),
  }),
  waiting_jobs: z.int().min(0),
  dead_jobs: z.int().min(0),
  due_since: time
    .nullable()
    .openapi({ description: "When the oldest waiting settlement job was created; null if none waits." }),
  import_since: time
    .nullable()
    .openapi({ description: "When the unfinished import began that settlements wait for; null if there is none." }),
  scheduler,
  late_jobs: lateJobs,
  clock,
  guarantees: z.enum(["ok", "broken", "unchecked"]).openapi({
    description: bilingual(
      "Whether tables, triggers, policies, constraints and privileges are as the migrations created them, by the comparison of the last hour. broken: the configuration check lists what differs. unchecked: nothing has compared them yet.",
      "按最近一小时的比较，表、触发器、策略、约束与权限是否与迁移所创建的一致。broken：差异见配置检查。unchecked：尚未比较。",
    ),
  }),
  webhooks: z.enum(["direct", "proxy", "off"]).openapi({
    description: bilingual(
      "How the worker reaches webhooks. direct: it connects to the address that it has checked. proxy: through the proxy of its settings. off: the key of their secrets is not set.",
      "后台处理程序连接 Webhook 的方式。direct：直接连接已核对的地址。proxy：通过设置中的代理服务器。off：未设置 Webhook 密钥的加密密钥。",
    ),
  }),
  schema_version: z.string().openapi({
    description: bilingual(
      "The version of the database: the last one that changed its schema.",
      "数据库的版本，即最近一次更改数据库结构的版本。",
    ),
    example: "1.0.0",
  }),
  last_release: day.nullable(),
  silent_shards: z
    .array(z.int())
    .optional()
    .openapi({
      description: bilingual(
        "Only in a store with shards: the numbers of those that do not answer. All other fields are about the others.",
        "仅用于分片的商城：没有响应的分片编号，其他字段均不含这些分片。",
      ),
    }),
});

/** The health of the service. */
export const health = healthFields
  .extend({
    schema: z.enum(["served", "not_served"]).openapi({
      description: bilingual(
        "Whether the edge functions serve the schema of the database. not_served: they refuse all other requests with schema_not_served, as between the steps of an update that changes what they need.",
        "边缘函数是否支持数据库的版本。not_served：其他请求均被拒绝（schema_not_served），例如升级已更新其中一方、另一方尚未更新时。",
      ),
    }),
  })
  .openapi("Health");
