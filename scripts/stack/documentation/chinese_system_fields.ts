/** Fields about the running of the store: settings, health, scheduled jobs, administrators, keys, the action log, events and webhooks. */
export const CHINESE_SYSTEM_FIELDS: Record<string, string> = {
  "The main colour of the pages for members.": "会员页面的主题色。",
  "The phone number at which members reach the store.": "会员联系商城的电话。",
  "The WeChat ID at which members reach the store.": "会员联系商城的微信号。",
  "When members reach the store, as people read it.": "服务时间，供人阅读的文字。",
  "The settings of a new store.": "新商城的设置。",
  "When, and by whom, each setting was changed last, by its name. Settings that nobody has changed are absent.":
    "每项设置最近一次修改的时间与修改人，以名称为键；从未修改的设置没有此项。",
  "An empty object removes it.": "空对象表示移除。",
  "degraded: an operator must act, because a settlement job is dead or has waited for more than five minutes, no scheduler runs the jobs, a scheduled job did not run when it was due, the clock may be wrong, a guarantee of the database is switched off, a shard does not answer, or the functions do not serve the schema.":
    "degraded：须由运维人员处理，因为有结算任务已停止重试或等待超过五分钟、没有调度程序运行定时任务、有定时任务未按时运行、时钟可能有误、数据库的某项保障被关闭、有分片没有响应，或边缘函数不支持数据库的版本。",
  "When the oldest waiting settlement job was created; null if none waits.": "等待最久的结算任务的创建时间；没有等待时为 null。",
  "When the unfinished import began that settlements wait for; null if there is none.": "结算所等待的未完成导入的开始时间；没有时为 null。",
  "missing: pg_cron is not installed, and nothing else runs the jobs. not_scheduled: pg_cron does not have all active jobs. late: the jobs are scheduled, but the settlement of waiting orders did not run when it was due.":
    "missing：未安装 pg_cron，且没有其他程序运行任务。not_scheduled：pg_cron 中缺少启用的任务。late：任务已安排，但等待中订单的结算未按时运行。",
  "doubtful: more than six hours have passed since the last heartbeat of the scheduler, so either the store was off or the clock has jumped. No points are released until a second clock agrees. differs: the clock of an edge function is more than five minutes away from that of the database.":
    "doubtful：距调度程序上次心跳超过六小时，说明商城曾停机或时钟跳变；第二时钟确认前不释放积分。differs：边缘函数与数据库的时钟相差五分钟以上。",
  "Whether tables, triggers, policies, constraints and privileges are as the migrations created them, by the comparison of the last hour. broken: the configuration check lists what differs. unchecked: nothing has compared them yet.":
    "按最近一小时的比较，表、触发器、策略、约束与权限是否与迁移所创建的一致。broken：差异见配置检查。unchecked：尚未比较。",
  "How the worker reaches webhooks. direct: it connects to the address that it has checked. proxy: through the proxy of its settings. off: the key of their secrets is not set.":
    "后台处理程序连接 Webhook 的方式。direct：直接连接已核对的地址。proxy：通过设置中的代理服务器。off：未设置 Webhook 密钥的加密密钥。",
  "The version of the database: the last one that changed its schema.": "数据库的版本，即最近一次更改数据库结构的版本。",
  "Whether the edge functions serve the schema of the database. not_served: they refuse all other requests with schema_not_served, as between the steps of an update that changes what they need.":
    "边缘函数是否支持数据库的版本。not_served：其他请求均被拒绝（schema_not_served），例如升级已更新其中一方、另一方尚未更新时。",
  "Only in a store with shards: the numbers of those that do not answer. All other fields are about the others.":
    "仅用于分片的商城：没有响应的分片编号，其他字段均不含这些分片。",
  "The newest applied migration.": "最近应用的迁移。",
  "Settlement jobs, outbox, release, reconciliation and scheduled jobs.": "结算任务、待处理请求、积分释放、对账与定时任务。",
  "Whether that job was created more than five minutes ago.": "等待最久的结算任务是否创建于五分钟之前。",
  "Names of the scheduled jobs that did not run when they were due.": "未按时运行的定时任务的名称。",
  "The latest reconciliation. finished_at is null while checks are left; cuts counts the runs that were cut.":
    "最近一次对账。仍有未完成的检查时 finished_at 为 null；cuts 为被中断的运行次数。",
  "Empty if all steps are done, or an administrator has dismissed them.": "全部步骤已完成，或管理员已关闭时为空。",
  "shipment: orders to ship. refund: requests. overdue_person_request, person_request: requests of persons. payment: offline payments that another administrator has marked. withdrawal_approval, withdrawal_payment, adjustment: to decide or to pay. month_to_close: months that are over. low_stock: products on sale. failed_call: of the outbox. failed_settlement: dead jobs. late_job: scheduled jobs. reconcile_finding: of the latest reconciliation. settings_finding: errors and warnings of the configuration check, which a job repeats every ten minutes. stopped_webhook: webhooks that were switched off because they failed.":
    "shipment：待发货的订单。refund：退款申请。overdue_person_request、person_request：个人信息请求。payment：已由另一位管理员登记的线下付款。withdrawal_approval、withdrawal_payment、adjustment：待审批或待付款。month_to_close：已结束的月份。low_stock：在售商品。failed_call：待处理请求中失败的。failed_settlement：已停止重试的结算任务。late_job：定时任务。reconcile_finding：最近一次对账的差异。settings_finding：配置检查的错误与警告，每十分钟由定时任务重新检查。stopped_webhook：因失败而停用的 Webhook。",
  "Whether there are more than the count, which ends at 1000.": "是否多于所给数量，最多计到 1000。",
  "Whether the store has a mail server. Without one, no notice is sent.": "商城是否配置了邮件服务器；未配置时不发送邮件提醒。",
  "The address of the caller.": "当前管理员的邮箱。",
  "Null before the first choice.": "首次选择前为 null。",
  "When the last notice was written.": "最近一次生成邮件提醒的时间。",
  "The filters as the address of the page has them.": "页面地址中的筛选条件。",
  "hint: something to know, about which there may be nothing to do.": "hint：供参考，可能无须处理。",
  "What it is about, such as `uid 10007` or `order 12`.": "所涉及的对象，例如 `uid 10007` 或 `order 12`。",
  "Null before the first reconciliation.": "首次对账前为 null。",
  "All findings. The list has the first hundred.": "差异总数；列表为前一百项。",
  "In the time zone of the store: `M H * * *` daily, `M H * * D` weekly (0 is Sunday), `M * * * *` hourly, `*/N * * * *` every N minutes.":
    "商城时区的运行计划：`M H * * *` 每天，`M H * * D` 每周（0 为星期日），`M * * * *` 每小时，`*/N * * * *` 每 N 分钟。",
  "The default schedule.": "默认运行计划。",
  "The schedule in UTC, as passed to pg_cron.": "传给 pg_cron 的运行计划，为 UTC 时间。",
  "When the oldest run began that was cut and whose work is not completed; null if there is none.":
    "被中断且工作尚未完成的运行中，最早的开始时间；没有时为 null。",
  "As in pg_cron, or `cut`: the run was ended by a time limit, an error or a restart, and a later run continues it.":
    "与 pg_cron 相同，或为 `cut`：运行因超时、出错或重启而中断，由后续运行继续。",
  "The last ten, newest first.": "最近十次，最新的在前。",
  "The Auth account; null: an invitation that nobody has accepted.": "Auth 账号；null：尚未接受的邀请。",
  "The member, if the account has one.": "账号对应的会员（如有）。",
  "blocked: the account is banned or lost its token role. invited: the link was not opened yet. expired: the invitation is too old, or its sender is no owner any more.":
    "blocked：账号已停用，或失去令牌中的角色。invited：链接尚未打开。expired：邀请已过期，或邀请人不再是所有者。",
  "Since when the account is an administrator, or when the invitation was sent.": "成为管理员的时间，或发送邀请的时间。",
  "Who invited the administrator. Null means the owner of the database.": "邀请该管理员的人；null 表示数据库所有者。",
  "Until when an invitation can be accepted.": "接受邀请的截止时间。",
  "Whether the account has a second factor that works; null: an invitation.": "账号是否有有效的第二重验证；null：邀请。",
  "Who asked to remove the second factor, which a second owner confirms within seven days; null: nobody.":
    "申请移除第二重验证的人，须由另一位所有者在七天内确认；null：没有申请。",
  "What administrators see in every record.": "管理员在各处记录中看到的姓名。",
  "auth_id of the administrator.": "管理员的 auth_id。",
  "The address of the console, to which the link leads. Auth must allow it.": "链接打开的管理后台地址，须在 Auth 中允许。",
  "Only an active key works. blocked: its owner is banned or no administrator any more, and it works again with them or another owner. ended: its owner had left, and nobody took it over within 30 days.":
    "只有 active 可用。blocked：负责人已停用或不再是管理员，其恢复或由他人接管后可用。ended：负责人已离开，且 30 天内无人接管。",
  "Those of scopes that do nothing now, because the roles of the owner no longer allow them.":
    "scopes 中因负责人的角色不再允许而失效的权限。",
  "The administrator who answers for the key, and as whom it counts.": "对密钥负责的管理员，密钥视同其本人。",
  "Until when it works, unless it is revoked. After its owner has left: until when it can be handed over.":
    "密钥可用至此时间，除非提前吊销。负责人离开后：可移交至此时间。",
  "To the minute.": "精确到分钟。",
  "What uses the key.": "使用该密钥的系统。",
  "Within two years. Without it, after one year.": "两年以内；不提供时为一年后。",
  "Without it, 3600.": "不提供时为 3600。",
  "What the program sends as a bearer token.": "程序以 bearer token 发送的内容。",
  "auth_id of an active administrator.": "现任管理员的 auth_id。",
  "The form of the bodies that it gets.": "接收的请求体的格式版本。",
  "on, or why nothing is sent: off (an administrator switched it off), gone (it answered with 410), failing (nothing that was sent succeeded for three days).":
    "on，或不推送的原因：off（管理员已停用）、gone（地址应答 410）、failing（连续三天推送失败）。",
  "The first of the failures since the last success; null: the last attempt succeeded.":
    "最近一次成功之后首次失败的时间；null：最近一次推送成功。",
  "Until then the secret before signs, too; null: it does not.": "旧密钥在此之前同样签名；null：不再签名。",
  "Deliveries that are still to be sent; 1000: that many, or more.": "待推送的数量；1000：不少于此数。",
  "event; gap: says that an event of the subject was given up; test.": "event：事件；gap：告知该对象有事件已放弃推送；test：测试。",
  "The header webhook-id.": "请求头 webhook-id。",
  "As it is sent, always the same.": "推送的内容，始终不变。",
  "When it is sent next; null: it is not.": "下次推送的时间；null：不再推送。",
  "The HTTP status of the last answer; null: there was none.": "最近一次响应的 HTTP 状态；null：没有响应。",
  "The beginning of the last answer.": "最近一次响应的开头。",
  "Why the last attempt failed; null: it did not.": "最近一次推送失败的原因；null：没有失败。",
  "Of the public Internet. Redirects are not followed.": "公网地址；不跟随重定向。",
  "Whose it is.": "所属的系统。",
  "The types of events that it gets.": "接收的事件类型。",
  "What verifies the signatures (docs/webhooks.md).": "用于验证签名（docs/webhooks.md）。",
  "For how long the secret before signs, too. Without it, 24.": "旧密钥继续签名的小时数；不提供时为 24。",
  "The administrator. Null means the owner of the database.": "管理员；null 表示数据库所有者。",
  "The machine key with which a program acted as the administrator. Null: the person did.":
    "程序以该管理员身份操作所用的机器密钥；null：由本人操作。",
  "The action: the name of the database function.": "操作：数据库函数的名称。",
  "uid of a member, id of an adjustment, invitation, machine key, order, picture, product, article, category, withdrawal or batch, code of a carrier, name of a scheduled job or a tool of an assistant, version of the plan or levels. Null for the settings and the first page of the app, and for a search that found no member.":
    "会员的 uid，调账、邀请、机器密钥、订单、图片、商品、文章、分类、提现或批次的 id，快递公司的代码，定时任务或 AI 助手工具的名称，方案或等级的版本。设置、商城首页，以及未找到会员的查找为 null。",
  "Number or title; the id, if the target is no longer there.": "编号或标题；对象已不存在时为 id。",
  "Of a scheduled job or a carrier.": "定时任务或快递公司的中文名称。",
  "The member whose it is.": "所属的会员。",
  "Of an order, a withdrawal or a batch.": "订单、提现或批次的金额。",
  "What the target is called now.": "对象当前的名称。",
  "The changed values before the action; null for a new target. Only ids, states, amounts, tracking numbers, settings and levels.":
    "操作前被修改的值；新对象为 null。仅包含 id、状态、金额、运单号、设置与等级。",
  'The changed values after the action; null for a deleted target. Names and texts appear only as "changed".':
    "操作后被修改的值；已删除的对象为 null。姓名与文字只显示为“changed”。",
  "Actions before this time were exported and dropped; null if none were.": "此时间之前的操作记录已导出并删除；没有时为 null。",
  "For an action on an order: what the order has paid to the administrator's own member account so far, less reversals. Null if it paid nothing.":
    "对订单的操作：该订单至今为管理员本人的会员账号带来的所得，已扣除冲回。没有所得时为 null。",
  "X-Request-Id of the request.": "该请求的 X-Request-Id。",
  "Identifies the event for ever. Not the order of reading.": "事件的永久标识，不表示读取顺序。",
  "What happened. docs/events.md lists the types; new ones may be added.": "发生的事件。类型见 docs/events.md，今后可能增加。",
  "Of the payload of the type. It rises if a key changes its meaning.": "该类型 payload 的版本；键的含义改变时递增。",
  "uid of a member, id of an order, withdrawal or adjustment, day of a release as YYYYMMDD.":
    "会员的 uid，订单、提现或调账的 id，积分释放的日期（YYYYMMDD）。",
  "The member whom the event concerns. Null for a release, which concerns all.": "事件所涉及的会员；积分释放涉及全部会员，为 null。",
  "Ids, states, amounts and times, by the keys that docs/events.md lists for the type. Nothing personal.":
    "id、状态、金额与时间，键见 docs/events.md 中该类型的说明。不含个人信息。",
  "Who or what caused it: a person, a payment provider, a scheduled job; the settlement of an order, or a refund.":
    "引起事件的一方：人、支付机构、定时任务，或订单的结算、退款。",
  "The order or refund that caused it; null for another cause.": "引起事件的订单或退款；其他原因为 null。",
  "next_cursor of the last call. Without it, reading begins at the oldest event.": "上次调用的 next_cursor；不提供时从最早的事件读起。",
  "100 by default.": "默认为 100。",
  "For the next call, also if the list is empty; null only if there is no event at all.":
    "供下次调用使用，列表为空时也有；仅在没有任何事件时为 null。",
  "The member whom the events concern.": "事件所涉及的会员。",
  "From here on, no message is sent, in the time zone of the store. Null: at any time.":
    "从此时刻起不发送消息，按商城时区。null：随时发送。",
  "Whether the store has a mini program.": "商城是否配置了小程序。",
  "The fields of the template, each with what the message says there.": "模板的字段，以及消息在其中显示的内容。",
  "Why WeChat refused a message. None is sent until the template is saved again.": "微信拒绝消息的原因；重新保存模板前不再发送。",
  "Together with quiet_until. Both empty: no quiet hours.": "与 quiet_until 同时设置。两者为空：没有免打扰时段。",
  "To add or to change, each for its type.": "新增或修改的模板，每个类型一个。",
  "The types whose templates are removed.": "移除模板的类型。",
  "An empty text removes it.": "发送空文本即移除。",
  "0 removes it.": "发送 0 即移除。",
};
