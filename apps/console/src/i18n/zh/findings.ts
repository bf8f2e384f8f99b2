/**
 * The findings and advice of the configuration check, by their English text. `%s` stands for a value. A test verifies
 * that none is missing.
 */
export const findings = new Map(
  Object.entries({
    "expected %s, got %s": "应为%s，实为%s",
    levels: "等级",
    tasks: "任务",
    plan: "方案",
    products: "商品",
    articles: "文章",
    "%s grades, 0 to %s": "共 %s 个级别，0 至 %s",
    "Number the grades 0, 1, 2 and so on.": "请将级别依次编号为 0、1、2……",
    "points rise with the grade": "积分随级别上升",
    "points fall at grade %s": "积分在级别 %s 下降",
    "Give each grade at least the points of the grade below it.": "较高级别的积分不应低于下一级别。",
    "every grade above 0 has tasks": "0 以上的级别均有任务",
    "no tasks at grade %s": "级别 %s 没有任务",
    "Members reach a grade without tasks only if an administrator sets it. Give it tasks or switch it off.":
      "没有考核任务的级别只能由管理员设置。请为其设置任务，或将其停用。",
    "targets rise with the grade": "任务目标随级别上升",
    "targets fall: %s": "任务目标下降：%s",
    "%s at grade %s": "%s（级别 %s）",
    "Give each grade at least the targets of the grade below it.": "较高级别的目标不应低于下一级别。",
    "version %s, %s people per cycle": "版本 %s，每周期 %s 人",
    "no plan": "没有方案",
    "Save a commission plan.": "请保存一个佣金方案。",
    "at most %s of %s per unit (%s %)": "每件最多 %s，单价 %s（%s %）",
    "Lower the ratios or the payout cap.": "请降低比例或佣金上限。",
    "at most %s points per unit: %s with the commission, %s by level": "每件最多 %s 积分：随佣金 %s，按等级 %s",
    "If this is more than intended, lower the points of the levels or points_per_brokerage.":
      "若超出预期，请降低等级积分或每 1.00 佣金的积分。",
    "commission %s, points by level %s; the settings say %s": "佣金%s，等级积分%s；设置的层数为 %s",
    "without a limit": "不限层数",
    "up to depth %s": "最多 %s 层",
    "The page about the network has the figures. What applies to the store is the decision of its owner: lower max_depth, or set another depth.":
      "具体数据见“团队结构”页面。是否适用由商城所有者自行判断：可调低最大层数，或修改设置中的层数。",
    "%s queue goods on sale": "在售的报单商品：%s",
    "Flag at least one product on sale as queue goods.": "请将至少一个在售商品标记为报单商品。",
    "%s articles for the sign-in gate": "登录前可读的文章：%s",
    "Publish an article in the sign-in category, or members sign in without reading.":
      "请在登录前阅读分类中发布文章，否则会员登录前不阅读任何文章。",
    "pg_cron is not installed in this database, so no scheduled job runs":
      "该数据库未安装 pg_cron，所有定时任务都不会运行",
    "Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()":
      "请启用 pg_cron 扩展，然后以商城的数据库所有者身份执行：select app.apply_schedule()",
    "Run as the owner of the store: select app.apply_schedule()":
      "请以商城的数据库所有者身份执行：select app.apply_schedule()",
    "pg_cron has %s (UTC), the schedule of the store says %s": "pg_cron 中为 %s（UTC），商城的运行计划为 %s",
    "pg_cron runs another command: %s": "pg_cron 执行的是另一条命令：%s",
    "%s objects are as the migrations created them": "%s 个对象与迁移所创建的一致",
    "does not exist any more: %s": "已不存在：%s",
    "does not belong to the store: %s": "不属于商城：%s",
    "is now: %s; was: %s": "现为：%s；原为：%s",
    "Run as the owner of the store: grant %s": "请以商城的数据库所有者身份执行：grant %s",
    "Run as the owner of the store: revoke %s": "请以商城的数据库所有者身份执行：revoke %s",
    "Run as the owner of the store: alter table %s enable trigger %s":
      "请以商城的数据库所有者身份执行：alter table %s enable trigger %s",
    "Run as the owner of the store: alter table %s enable row level security":
      "请以商城的数据库所有者身份执行：alter table %s enable row level security",
    "Find out who changed it and why, and undo that. If it is to stay, write a migration: npm run migration:new":
      "请查明是谁、为何修改，并撤销修改。若要保留，请为其编写迁移：npm run migration:new",
    "share page": "分享页",
    logo: "商城 Logo",
    "edge functions": "边缘函数",
    "%s addresses, none of which leads to a local machine": "%s 个地址，均不指向本机",
    "leads to the local stack: %s": "指向本地环境：%s",
    "share links": "分享链接",
    "share links name their member": "分享链接带有会员编号",
    "share links lose their member: %s": "分享链接会丢失会员编号：%s",
    "Set the share link URL on the settings page of the console to %s": "请在控制台的设置页将分享链接地址改为 %s",
    "leads to a local machine, which nobody else can reach: %s": "指向本机，其他人无法访问：%s",
    "Set the share link URL on the settings page of the console: the address of the H5 app.":
      "请在管理后台的设置页填写分享链接地址，即 H5 商城的地址。",
    "Set the logo on the settings page of the console: an address that everyone can open.":
      "请在管理后台的设置页填写商城 Logo 的地址，该地址须任何人都能打开。",
    "Give the products pictures with addresses that everyone can open.": "请将商品图片的地址改为任何人都能打开的地址。",
    "Remove the variable STORE_FUNCTIONS_URL of the edge functions, or set it to their public address.":
      "请删除边缘函数的变量 STORE_FUNCTIONS_URL，或将其设为边缘函数的公开地址。",
    "WeChat mini program": "微信小程序",
    "messages of the mini program": "小程序消息推送",
    "WeChat on web pages": "微信网页登录",
    "WeChat Pay": "微信支付",
    worker: "后台处理程序（worker）",
    "email to administrators": "管理员邮件提醒",
    webhooks: "Webhook",
    "the worker reaches webhooks through the proxy": "后台处理程序通过代理服务器连接 Webhook",
    "the worker connects to the address of a webhook that it has checked":
      "后台处理程序直接连接经其核对的 Webhook 地址",
    "Where a proxy decides which addresses can be reached, set STORE_WEBHOOK_PROXY.":
      "若由代理服务器决定可访问的地址，请设置 STORE_WEBHOOK_PROXY。",
    "the edge functions have not reported their settings": "边缘函数尚未上报其设置",
    "%s, reported %s": "%s，上报时间：%s",
    "Deploy the edge functions and call GET /api/health. If they run, their log says why they could not report.":
      "请部署边缘函数并访问 GET /api/health。若函数已在运行，其日志会说明未能上报的原因。",
    "all variables of the edge functions are set": "边缘函数所需的变量均已设置",
    "not in use; not set: %s": "未启用；未设置：%s",
    "not set: %s": "未设置：%s",
    "Set the variable as docs/operations.md describes. Without it, refunds and other calls to payment providers wait.":
      "请按 docs/operations.md 的说明设置该变量。未设置时，退款等发往支付机构的请求会一直等待。",
    "Set these variables as functions/README.md describes. If nobody uses this feature, remove all of its variables.":
      "请按 functions/README.md 的说明设置这些变量。若不使用该功能，请删除其全部变量。",
    "withdrawals to WeChat": "提现到微信",
    "real names": "实名信息",
    'Set these variables as docs/operations.md, "Real names", describes. Without them nobody can give a real name, and withdrawals that need one are refused.':
      "请按 docs/operations.md 的“Real names”一节设置这些变量。缺少变量时会员无法提交实名信息，需要实名的提现会被拒绝。",
    "keys of real names": "实名信息的密钥",
    "every real name has the same keys": "所有实名信息使用同一组密钥",
    "real names have %s different keys or indexes": "实名信息使用了 %s 组不同的密钥或索引",
    'Finish the replacement of keys by npm run rotate:real-names. If none was meant, members gave real names with a wrong key: keep it, and follow docs/operations.md, "Real names".':
      "请运行 npm run rotate:real-names 完成密钥更换。如未在更换密钥，则有会员的实名信息用错误的密钥加密：请保留该密钥，并按 docs/operations.md 的“Real names”一节处理。",
    'WeChat transfers only at the request of registered addresses: follow docs/deploy.md, "Withdrawals to WeChat", or remove WeChat from the ways to withdraw.':
      "微信只接受已登记 IP 地址的转账请求：请按 docs/deploy.md 的“Withdrawals to WeChat”一节操作，或从提现方式中移除微信。",
    database: "数据库",
    "no client role can create temporary objects": "客户端角色均不能创建临时对象",
    "can create temporary objects: %s": "可以创建临时对象的角色：%s",
    "Run as the owner of the database: revoke temporary on database %s from public":
      "请以数据库所有者身份执行：revoke temporary on database %s from public",
    "another scheduler runs the jobs": "由其他调度程序运行定时任务",
    "not scheduled": "未安排运行",
    "switched off": "已停用",
    "%s (UTC), last run: %s": "%s（UTC），最近运行：%s",
    "%s (UTC), late, last run: %s": "%s（UTC），未按时运行，最近运行：%s",
    "settlement jobs": "结算任务",
    "%s waiting for the import that began at %s and is unfinished": "%s 个等待导入完成，该导入开始于 %s，尚未完成",
    "not run, because no order is settled until the import has ended": "未运行：导入结束之前，订单不结算",
    "Continue the import with npm run import, or end it: npm run import -- --abandon":
      "请用 npm run import 继续导入，或用 npm run import -- --abandon 结束导入。",
    "%s waiting, %s failed, oldest waiting since %s": "等待 %s 个，失败 %s 个，最早等待时间：%s",
    none: "无",
    "See the settlement jobs for errors. If none has failed, check that pg_cron is running.":
      "请在结算任务中查看错误。若没有失败的任务，请检查 pg_cron 是否在运行。",
    "Switch the job on in the schedule.": "请在定时任务页启用该任务。",
    clock: "时钟",
    "right, as far as is known": "未发现异常",
    "more than six hours ahead of the last heartbeat of the scheduler, so no points are released":
      "比上一次定时任务运行的时间超前六小时以上，积分暂停释放",
    "more than five minutes away from the clock of an edge function": "与边缘函数的时钟相差五分钟以上",
    "Check the time of the database server. If it is right, run as the owner of the store: select app.confirm_clock()":
      "请检查数据库服务器的时间。若时间正确，请以商城的数据库所有者身份执行：select app.confirm_clock()",
    "machine keys": "机器密钥",
    "every key has an owner whose roles allow its scopes, and works for more than 30 days":
      "所有密钥均有负责人，负责人的角色允许其全部权限，且有效期超过 30 天",
    "stop within 30 days or have stopped with their owner (date), or have lost scopes with their owner's role (scopes): %s":
      "将在 30 天内失效或已因负责人停用而失效（附日期），或因负责人的角色变更而失去权限（附权限）：%s",
    "Hand a key of somebody who left, is blocked or has another role over to an administrator who may do what it does, or make a new one; replace one that expires. Revoke what nothing uses.":
      "负责人已离开、已停用或角色已变更的密钥，请移交给具有相应权限的管理员，或新建密钥；即将到期的请新建替换；不再使用的请吊销。",
    administrators: "管理员",
    "%s with the role owner or finance may act": "可操作资金的所有者或财务：%s 人",
    "If there is a second person, give them the role finance: npm run admin -- add <email> --roles finance. Until then, one person approves withdrawals and pays them.":
      "如有第二个人，请授予其财务角色：npm run admin -- add <email> --roles finance。在此之前，提现的审核和打款由同一人完成。",
    "without a second factor, of those who need one: %s of %s": "需要但尚未设置第二重验证：%s / %s 人",
    "Until then, whoever has their password can set one up. Ask them to do it in the console, in the menu of their account.":
      "设置之前，任何知道其密码的人都可抢先设置。请提醒他们在管理后台右上角的账号菜单中设置。",
    "commission can be withdrawn %s days after receipt, orders are refunded for %s days":
      "佣金在收货 %s 天后可提现，订单在 %s 天内可退款",
    "A refund after the withdrawal leaves the member with a debt. Raise the holding time of the plan, or lower the refund window in the settings.":
      "提现后再退款会使会员产生欠款。请延长方案的冻结天数，或在设置中缩短退款期限。",
    "runs that were cut": "被中断的运行",
    "%s to be continued, oldest of %s": "待继续 %s 次，最早的开始于 %s",
    "They are continued every five minutes. If they are cut again and again, raise the statement_timeout of the role postgres.":
      "系统每五分钟自动继续。若反复被中断，请调高角色 postgres 的 statement_timeout。",
    "not yet": "尚未运行",
    succeeded: "成功",
    failed: "失败",
    "See the schedule page or cron.job_run_details for the error of the last run.":
      "请在定时任务页或 cron.job_run_details 中查看最近一次运行的错误。",
    "test run": "测试流程",
    "no error": "没有错误",
    "commission over a cycle and its wrap-around": "一个完整周期及其重新开始的佣金",
    "orders and members counted": "计入的订单和会员",
    "%s orders %s members": "%s 个订单 %s 名会员",
    "stored counts equal the recount": "已存计数与重新统计一致",
    "points equal the bill": "积分与账单一致",
    "level reached": "达到的等级",
    "refund of the last order": "最后一个订单的退款",
    "points after the refund": "退款后的积分",
    "orders and members counted after the refund": "退款后计入的订单与会员",
    "release of a day, run twice": "同一天的释放运行两次",
    "closed months": "已结账月份",
    "no closed month and no seal is missing": "已结账月份及其封存均完整",
    "missing: %s": "缺失：%s",
    "the %s of %s": "%s（%s）",
    record: "结账记录",
    seal: "封存",
    "Somebody deleted them as the owner of the database. Restore them from a backup, and compare the seals with the list that you have published: npm run verify:seal -- --list <file>":
      "有人以数据库所有者身份删除了它们。请从备份恢复，并与已公布的封存清单比对：npm run verify:seal -- --list <file>",
    yes: "是",
    nothing: "无",
    "Restore the functions of the last release, or review the changes since then.":
      "请恢复上一版本的函数，或查看此后的改动。",
  }),
);
