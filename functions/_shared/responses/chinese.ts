import { translator } from "../words/translator.ts";
import { taskWords, withdrawalStateWords, wordsIn } from "../words/words.ts";

/**
 * Chinese translations of the error details that the database and our schemas produce, keyed by the English sentence.
 * Titles and hints are in error_registry.ts. `%s` is a placeholder for a value, which is translated, too, if the
 * catalogue contains it. test/contract/chinese.test.ts checks that every sentence has a translation and that no
 * translation is unused.
 */
export const CHINESE = new Map(
  Object.entries({
    // Settings.
    "Expected a whole number from %s to %s.": "应为 %s 到 %s 的整数。",
    "Expected a number from %s to %s with at most %s decimals.": "应为 %s 到 %s 的数字，最多 %s 位小数。",
    "Expected an amount from %s to %s.": "应为 %s 到 %s 的金额。",
    "Expected 1 to %s characters in one line, not all of them blank.": "应为一行 1 至 %s 个字符，不能全为空白。",
    "The URL must begin with http:// or https:// and have at most %s characters.":
      "网址须以 http:// 或 https:// 开头，最多 %s 个字符。",
    "Expected one of %s.": "应为以下之一：%s。",
    "Expected a list of %s.": "应为由以下各项组成的列表：%s。",
    "Expected at most %s whole numbers from %s to %s.": "最多 %s 个数，每个为 %s 到 %s 的整数。",
    "Expected at most %s origins such as https://example.com: https, the host, and no path.":
      "最多 %s 个网站，格式如 https://example.com，只含 https 和域名，不含路径。",
    "Expected at most %s words, each of 1 to 50 characters.": "最多 %s 个词，每个 1 至 50 个字符。",
    "Expected at least the smallest amount, %s.": "不得低于最低金额 %s。",
    "There is no such setting.": "没有该设置。",
    "Expected true or false.": "应为 true 或 false。",

    // Access and requests.
    "This token carries a role that may not call the store.": "该令牌的角色无权访问商城。",
    "This account is not an administrator.": "该账号不是管理员。",
    "This machine key was revoked.": "该机器密钥已吊销。",
    "This machine key has expired.": "该机器密钥已过期。",
    "The owner of this machine key has left, and nobody took it over within 30 days.":
      "该机器密钥的负责人已离开，且 30 天内无人接管。",
    "The owner of this machine key is blocked.": "该机器密钥的负责人已被停用。",
    "The owner of this machine key has left. Hand it over to an administrator, or make a new one.":
      "该机器密钥的负责人已离开，请移交给其他管理员，或新建密钥。",
    "Machine keys cannot do this, only people can.": "此操作只能由管理员本人进行，不接受机器密钥。",
    "Assistants are switched off in the settings of the store.": "商城设置中未允许 AI 助手查询。",
    "Assistants only read.": "AI 助手只能查询。",
    "A tool has a name of small letters, and an object of arguments.": "工具名称须为小写字母，参数须为对象。",
    "Pages of this origin may not use the tools for assistants.": "该来源的网页不能使用 AI 助手工具。",
    "This is no request of the Model Context Protocol by streamable HTTP.":
      "这不是 Model Context Protocol（streamable HTTP）的请求。",
    "Send application/json, text/event-stream. The answer is JSON.":
      "请发送 application/json, text/event-stream；响应为 JSON。",
    "Supported versions: %s.": "支持的版本：%s。",
    "The body is nested more than 32 deep, or has more than 5000 values.": "请求体嵌套超过 32 层，或数据超过 5000 项。",
    "This account is blocked. Ask the store.": "该账号已被封禁，请联系商城。",
    "Without the scope personal:read, members are found by their uid only.":
      "没有 personal:read 权限时，只能按 uid 查找会员。",
    "This machine key needs the scope %s for this. Make a key that has it.":
      "该机器密钥缺少权限 %s，请新建一个具有该权限的密钥。",
    "The roles of the owner of this machine key no longer allow the scope %s. Give them such a role again, or make a key of another administrator.":
      "该机器密钥负责人的角色已不再允许权限 %s，请恢复其角色，或由其他管理员新建密钥。",
    "The roles of this administrator do not allow the scopes %s. Choose another one, or make a key with fewer scopes.":
      "该管理员的角色不允许权限 %s，请选择其他管理员，或新建权限较少的密钥。",
    "This machine key makes at most %s calls in an hour. Try again in %s minutes.":
      "该机器密钥每小时最多调用 %s 次，请在 %s 分钟后再试。",
    "This machine key does not work any more. Make a new one.": "该机器密钥已失效，请新建一个。",
    "The hash of the secret has 64 hexadecimal digits.": "密钥的哈希值应为 64 位十六进制数字。",
    "Choose different scopes of those that machine keys can have.": "请从可选的权限中选择，且不要重复。",
    "A machine key expires within two years.": "机器密钥的有效期最长为两年。",
    "Choose different types of events of the catalogue.": "请从事件目录中选择类型，且不要重复。",
    "The address begins with https://, and has neither a user nor a part after #.":
      "地址须以 https:// 开头，且不能包含用户名和 # 之后的部分。",
    "Expected an address that begins with https://, without a user and #.":
      "应为以 https:// 开头的地址，不含用户名和 #。",
    "The description must have 1 to 64 characters in one line and must not be blank.":
      "名称须为一行 1 至 64 个字符，且不能为空白。",
    "The salt of the secret has 32 hexadecimal digits.": "密钥的盐值应为 32 位十六进制数字。",
    "A store has at most 50 webhooks. Delete one that nobody uses.": "每个商城最多有 50 个 Webhook，请删除不再使用的。",
    "Say whether the webhook is on.": "请说明该 Webhook 是否启用。",
    "The former secret signs for up to 168 hours more.": "旧密钥最多可继续有效 168 小时。",
    "A period has a beginning and a later end.": "时间段须有开始时间，且结束时间晚于开始时间。",
    "At most 10000 events are sent again at once. Choose a shorter period.":
      "每次最多补发 10000 个事件，请选择更短的时间段。",
    "These are %s events.": "共有 %s 个事件。",
    "A machine key makes 1 to 100000 calls in an hour.": "机器密钥每小时的调用次数为 1 至 100000 次。",
    "A key that decides about money counts as the person who made it, and is not handed over. The other administrator makes a new one.":
      "能够处理资金的密钥视同创建者本人，不能移交；请由另一位管理员新建。",
    "A member has at most %s unpaid orders; pay or cancel one first.":
      "每位会员最多有 %s 笔未付款订单，请先支付或取消一笔。",
    "You can place at most %s orders in an hour. Try again in %s minutes.":
      "每小时最多下单 %s 次，请在 %s 分钟后再试。",
    "You can place at most %s orders that cost nothing in an hour. Try again in %s minutes.":
      "每小时最多下单 %s 次免费商品，请在 %s 分钟后再试。",
    "You can cancel orders and withdrawals at most %s times in an hour. Try again in %s minutes.":
      "每小时最多取消 %s 次订单或提现，请在 %s 分钟后再试。",
    "You can make at most %s changes in an hour. Try again in %s minutes.":
      "每小时最多提交 %s 次操作，请在 %s 分钟后再试。",
    "You can change your profile at most %s times in an hour. Try again in %s minutes.":
      "每小时最多修改 %s 次个人资料，请在 %s 分钟后再试。",
    "Your poster can be drawn at most %s times in an hour. Try again in %s minutes.":
      "每小时最多生成 %s 次海报，请在 %s 分钟后再试。",
    "The names of inviters were asked for too often from this address. Try again in %s minutes.":
      "该地址查询邀请人过于频繁，请在 %s 分钟后再试。",
    "Only pages of the store are signed: the address must begin like the share link URL.":
      "只能为商城页面签名：网址须与分享链接地址的域名一致。",
    "The app id is missing or too long.": "缺少 AppID，或 AppID 过长。",
    "Leave out the part behind #.": "请去掉 # 及其后面的部分。",
    "WeChat shows no card of this page at the moment. Share its link instead.":
      "微信暂时无法生成该页面的分享卡片，请改为分享链接。",
    "You can give your real name at most %s times in an hour. Try again in %s minutes.":
      "每小时最多提交 %s 次实名信息，请在 %s 分钟后再试。",
    "From %s on, the store needs your real name. Give it, and request the withdrawal again.":
      "提现金额达到 %s 时须先完成实名，请提交实名信息后再申请。",
    "Your real name is being checked. Request the withdrawal when that is done.":
      "实名信息正在核验，请在核验完成后再申请提现。",
    "Your real name was refused. Give it again, as it is on the document.":
      "实名信息未通过核验，请按证件内容重新提交。",
    "This is not an encrypted real name.": "这不是加密后的实名信息。",
    "The store asks for no real names.": "商城目前不需要实名信息。",
    "Your real name is checked. Ask the store if it has changed.": "实名信息已核验；如有变更，请联系商城。",
    "A real name is checked or refused.": "实名信息只能核验通过或退回。",
    "A refused real name has a reason of 1 to 500 characters, a checked one has none.":
      "退回实名信息时须填写 1 至 500 字的原因，通过时不填。",
    "The member has given another real name. Look at it first.": "该会员已重新提交实名信息，请先查看。",
    "Enter the full name, as it is on the document.": "请填写证件上的完整姓名。",
    "This is not the number of an identity card: its digits do not fit together. Compare it with the card, digit by digit.":
      "身份证号码有误，请对照证件逐位核对。",
    "The number of a passport has 5 to 9 letters and digits.": "护照号码为 5 至 9 位字母和数字。",
    "The number of this permit is H or M and 8 digits.": "港澳居民来往内地通行证号码为 H 或 M 加 8 位数字。",
    "The number of this permit has 8 digits.": "台湾居民来往大陆通行证号码为 8 位数字。",
    "Set STORE_REAL_NAME_FORMER_KEY to the key %s, with which this real name was encrypted.":
      "请将 STORE_REAL_NAME_FORMER_KEY 设为加密该实名信息的密钥 %s。",
    "You can get your data at most %s times in an hour. Try again in %s minutes.":
      "每小时最多导出数据 %s 次，请在 %s 分钟后再试。",
    'You have asked for the deletion of this account. Keep the account first, under "My account".':
      "该账号已申请注销；请先在“账号与安全”中撤销申请。",
    "Too many sign-in codes were asked for.": "获取验证码过于频繁。",
    "A phone number has digits only, with the country code in front.": "手机号应只含数字，并以国家代码开头。",
    "This account is an administrator. Another administrator removes it from the list first.":
      "该账号是管理员，请先由另一位管理员将其移除。",
    "A withdrawal is not finished yet. Wait for its end, or cancel it.": "有提现尚未完成，请等待完成或取消。",
    "An order is not finished yet. Pay or cancel it, or confirm its receipt.":
      "有订单尚未完成，请付款、取消或确认收货。",
    "A refund is not finished yet. Wait for its end.": "有退款尚未完成，请等待完成。",
    "You received an order that can still be refunded. Wait until its refund window has ended.":
      "有已收货的订单仍在可退款期内，请等退款期结束后再申请。",
    "You owe the store commission that refunds took back. Settle it with the store first.":
      "你有因退款冲回产生的佣金欠款，请先与商城结清。",
    "You owe the store points that refunds took back. Settle them with the store first.":
      "你有因退款冲回产生的积分欠额，请先与商城结清。",
    "These are not the amounts that you would give up now. Read them again.":
      "金额已变化，与当前将放弃的金额不一致，请重新读取。",
    "A return address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.":
      "退货地址需要收件人、电话、1 至 6 级地区（从大到小）和详细地址。",
    "people is between 1 and 1000000, depth between 1 and 1000.": "people 应为 1 至 1000000，depth 应为 1 至 1000。",
    "The number of points to use must be 0 or more.": "使用的积分数应不小于 0。",
    "A member can have at most %s unpaid units of product %s now. Order fewer, or pay or cancel an unpaid order first.":
      "每位会员目前最多可有 %s 件未付款的商品 %s。请减少数量，或先支付或取消一笔未付款订单。",
    "A member can have at most %s unpaid units of goods with a limited stock. Order fewer, or pay or cancel an unpaid order first.":
      "每位会员最多可有 %s 件未付款的限量库存商品。请减少数量，或先支付或取消一笔未付款订单。",
    "The time to pay this order is over. Place it again.": "该订单的付款时间已过，请重新下单。",
    "An administrator cannot do this to their own member account or its orders; another administrator can.":
      "管理员不能对自己的会员账号或自己的订单执行此操作，请由另一位管理员操作。",
    "Search for a line of 1 to 64 characters.": "请输入一行 1 至 64 个字符的搜索内容。",
    "Enter a whole phone number or email address.": "请输入完整的手机号或邮箱。",
    "The balance is brokerage, frozen_points or available_points.":
      "余额类型应为 brokerage、frozen_points 或 available_points。",
    "Amounts are searched for without their sign.": "查找金额时请不要输入正负号。",
    "Amounts of points are searched for within a day at a time, or with a member or a type other than the daily release.":
      "按积分数量查找时，期间不能超过一天；也可指定会员，或选择每日释放以外的类型。",
    "Types, sources, levels and amounts are searched for within 31 days at a time, or with a member.":
      "按类型、来源、等级或金额查找时，期间不能超过 31 天；也可指定会员。",
    'Expected an amount such as "19.90", without a sign.': "请输入金额，例如 19.90，不带正负号。",
    "There is no account with this email address or id.": "没有使用该邮箱或 ID 的账号。",
    "Nobody has confirmed the email address of this account, so anybody may have created it.":
      "该账号的邮箱尚未验证，任何人都可能是它的注册者。",
    "The password and the phone number of this account may be those of a stranger. Use another account.":
      "该账号的密码和手机号可能由他人设置，请使用其他账号。",
    "This account is not a member of the store.": "该账号不是商城会员。",
    'The Authorization header must read "Bearer <token>".': '请求头 Authorization 的格式应为 "Bearer <token>"。',
    "An idempotency key has 1 to 255 visible characters of ASCII.": "幂等键应为 1 至 255 个可见的 ASCII 字符。",
    "Expected 1 to 255 visible characters of ASCII.": "应为 1 至 255 个可见的 ASCII 字符。",
    "This endpoint accepts no idempotency key.": "该接口不接受幂等键。",
    "Get a new code from WeChat and sign in again in a few seconds.": "请重新获取微信 code，并在几秒后重新登录。",
    "There is no argument %s.": "没有名为 %s 的参数。",
    "%s is not a value of type %s, or too large for it.": "%s 不是 %s 类型的值，或超出其范围。",
    "An argument is missing.": "缺少参数。",
    "The time must be between the years 2000 and 3000.": "时间应在 2000 年至 3000 年之间。",
    "A part of a journal is opening, bill, payouts or closing.": "日记账的部分为 opening、bill、payouts 或 closing。",
    "A month is written as 2026-10, between the years 2000 and 3000.":
      "月份的格式为 2026-10，应在 2000 年至 3000 年之间。",
    "A quarter is written as 2026-Q4, between the years 2000 and 3000.":
      "季度的格式为 2026-Q4，应在 2000 年至 3000 年之间。",
    "The month %s is not over.": "%s 尚未结束。",
    "Whether the month %s is over is not certain until a second clock agrees, or app.confirm_clock() is called.":
      "在第二个时钟确认时间之前，无法确定 %s 是否已结束；也可调用 app.confirm_clock() 确认。",
    "The month %s is not closed. Only closed months are sealed.": "%s 尚未结账，只有已结账的月份可以封存。",
    "The month %s is not sealed.": "%s 尚未封存。",
    "The month %s is sealed with another root.": "%s 已封存，且根值不同。",
    "Months are sealed in sequence. The last one is %s, so the next one is %s.":
      "月份须按顺序封存：上一个是 %s，下一个应为 %s。",
    "The seal does not name the root of the month before.": "封存未写明上月根值。",
    "The month %s had %s rows when it was closed, and has another number now.": "%s 结账时有 %s 条账单，现在条数不同。",
    "The month before was sealed with the key %s, which must vouch for a new key unless it is lost.":
      "上月由公钥 %s 封存；除非该密钥已遗失，否则须由其为新密钥作保。",
    "Expected %s hexadecimal digits.": "应为 %s 位十六进制数字。",
    "The month %s is closed. No bill row can be dated into it.": "%s 已结账，不能再记入该月的账单。",
    "as_of is between the year 2000 and now.": "as_of 应在 2000 年与当前时间之间。",
    "date_from and date_to are in the years 1 to 9999.": "date_from 和 date_to 应在公元 1 年至 9999 年之间。",
    "The store had no members at the time of as_of.": "as_of 所指时间商城还没有会员。",
    "The store has had the member since %s.": "该会员自 %s 起才在商城中。",
    "The releases of %s cannot be compacted: %s.": "%s 的释放记录不能压缩：%s。",
    "The releases of the month of %s are compacted.": "%s 所在月份的释放记录已压缩。",
    "The releases of %s are not compacted.": "%s 的释放记录没有压缩。",
    "Actions before %s were exported and dropped.": "%s 之前的操作记录已导出并删除。",
    "The actions of %s cannot be dropped: %s.": "%s 的操作记录不能删除：%s。",
    "The actions of %s are not those that were exported: %s with digest %s.":
      "%s 的操作记录与导出的不一致：现有 %s 条，校验值 %s。",
    'Expected a time of day such as "22:00".': '请输入时间，例如 "22:00"。',
    "Expected the id of a template of the mini program.": "请输入小程序的模板 ID。",
    "Expected the name of a field such as thing1.": "请输入字段名，例如 thing1。",
    "Expected a month such as 2026-10.": "请输入月份，例如 2026-10。",
    "Expected a quarter such as 2026-Q4.": "请输入季度，例如 2026-Q4。",
    "A JSON body is required.": "需要 JSON 请求体。",
    "This parameter may be given only once.": "该参数只能出现一次。",
    "Unknown field.": "该接口没有这个字段。",
    "Unknown parameter.": "该接口没有这个参数。",
    "Send at least one field.": "请至少提供一个字段。",
    "Send at least one setting.": "请至少提供一项设置。",
    "Expected a whole number.": "请输入整数。",
    "Expected true, false, 1 or 0.": "应为 true、false、1 或 0。",
    'Expected an amount such as "19.90" or "-19.90".': "请输入金额，例如 19.90 或 -19.90。",
    'Expected an amount such as "19.90".': "请输入金额，例如 19.90。",
    'Expected a colour such as "#c8102e".': "请输入颜色，例如 #c8102e。",
    "Expected the file name of an image_url.": "应为 image_url 中的文件名。",
    "The character NUL is not allowed.": "不允许包含 NUL 字符。",
    "The text is not valid Unicode.": "文本不是有效的 Unicode。",
    "Line breaks, tabs, control characters, marks of text direction and characters without width are not allowed.":
      "不允许包含换行、制表符、控制字符、文字方向标记或零宽字符。",
    "Control characters and marks of text direction are not allowed.": "不允许包含控制字符或文字方向标记。",
    "Elements are nested too deep.": "元素嵌套层级过深。",
    "Control characters and marks of text direction are not allowed; a single line has no line breaks, tabs or characters without width, either.":
      "不允许包含控制字符或文字方向标记；单行文字也不允许包含换行、制表符或零宽字符。",
    "This is not the number of a card: its digits do not fit together. Compare it with the card, digit by digit.":
      "银行卡号有误（校验位不符），请与卡面逐位核对。",
    "The last reconciliation must have begun after the end of the month, at most 7 days ago, and have found nothing.":
      "最近一次对账须在该月结束之后、7 天以内开始，并且没有发现差异。",
    "The text has no visible characters.": "请填写此项，不能只有空白。",
    "Expected an http or https URL.": "请输入以 http:// 或 https:// 开头的网址。",
    "Only http, https and relative URLs are allowed.": "只允许 http、https 或相对网址。",
    "An amount of money has at most two decimals.": "金额最多两位小数。",
    "A value is missing or too large.": "有值缺失或过大。",
    "A value violates this rule: %s.": "有值不符合要求：%s。",
    // Addresses and orders.
    "An address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.":
      "地址应包含姓名、电话、1 至 6 级地区（由大到小）和详细地址。",
    "A member has at most 50 addresses; delete one first.": "每位会员最多保存 50 个地址，请先删除一个。",
    "Send either address_id or address, not both.": "address_id 与 address 只能发送其中一个。",
    "A remark has at most 500 characters.": "备注最多 500 个字符。",
    "Images must be a list of URLs.": "图片应为网址列表。",
    "Product %s has only %s units left.": "商品 %s 仅剩 %s 件。",
    "The order costs %s now.": "订单现价为 %s。",
    "Enter a valid phone number.": "请输入正确的手机号。",
    // Lists.
    "page starts at 1.": "page 从 1 开始。",
    "limit is between 1 and 100.": "limit 应在 1 至 100 之间。",
    "days is between 1 and 366.": "days 应在 1 至 366 之间。",
    "unit is hour, day, week or month.": "unit 应为 hour、day、week 或 month。",
    "compare is before or year.": "compare 应为 before 或 year。",
    "from is a day that is not after to, between the years 2000 and 3000.":
      "from 应为 2000 年至 3000 年之间的日期，且不晚于 to。",
    "A report has at most 48 hours, 400 days, 110 weeks or 60 months; these are %s.":
      "报表最多包含 48 小时、400 天、110 周或 60 个月，当前为 %s 个时段。",
    "from is before to, and at most %s days before it.": "from 应早于 to，且相隔不超过 %s 天。",
    "What orders earned is searched for within %s days at a time, or with a member.":
      "查找订单收益时，期间不能超过 %s 天；也可指定会员。",
    "after was not returned by this list.": "after 不是该列表给出的游标。",
    "cursor was not returned by this export.": "cursor 不是该导出给出的游标。",
    "cursor was not returned by this list.": "cursor 不是该列表给出的游标。",
    "sort is %s or %s, with a leading - for descending.": "sort 可为 %s 或 %s，前加 - 表示降序。",
    "depth is direct or umbrella.": "depth 可为 direct 或 umbrella。",
    "kind is retaken_place, shared_order, sign_up_burst, shared_person, shared_account or reserved_stock.":
      "kind 可为 retaken_place、shared_order、sign_up_burst、shared_person、shared_account 或 reserved_stock。",
    "With depth umbrella, sort is joined or -joined.": "depth 为 umbrella 时，sort 只能是 joined 或 -joined。",
    "keyword has between 1 and 64 characters.": "keyword 应为 1 至 64 个字符。",
    // Members.
    "This order was not paid inside WeChat, or has not left the store.": "该订单未在微信内支付，或尚未发货。",
    "A WeChat id is missing or too long.": "微信 ID 缺失或过长。",
    "A phone number has at most 32 characters.": "电话号码最多 32 个字符。",
    "A referrer can be set only once.": "推荐人只能绑定一次。",
    "Nobody can be their own referrer.": "不能成为自己的推荐人。",
    "The referrer is in this member's downline.": "推荐人是该会员的伞下会员。",
    "no_assess must be true or false.": "no_assess 应为 true 或 false。",
    "Give the nickname or the picture.": "请提供昵称或头像。",
    "no_assess and status contradict each other; send one of them.": "no_assess 与 status 相互矛盾，请只发送其中一个。",
    // Requests of persons.
    "A request is for a copy, a correction or the deletion.": "请求的类型只能为获取副本、更正或删除。",
    "What is asked for has at most 500 characters.": "请求内容最多 500 个字符。",
    "Say what is wrong, and what is right.": "请说明哪些信息有误，以及正确的内容。",
    "A request of this kind is open. It is answered first.": "已有同类请求待处理，请等待答复。",
    "This account was deleted, so nothing personal is left.": "该账号已注销，个人信息均已删除。",
    "A request was received today or within the last 365 days.": "收到日期应为今天或过去 365 天内的某一天。",
    "A request stays open, is done or is refused.": "请求的状态只能为待处理、已完成或已拒绝。",
    "Say in 1 to 500 characters what was done, or why the request is refused.":
      "请用 1 至 500 个字符说明处理情况或拒绝原因。",
    "This request has been answered.": "该请求已答复。",
    "A deletion is done by the deletion of the account, which closes this request.":
      "删除请求须以注销账号完成；账号注销后，该请求自动完成。",
    "The account waits for its deletion, which closes this request.": "该账号正在等待注销，注销后该请求自动完成。",
    // Levels.
    "Levels must be a list of 1 to 101 grades.": "等级应为 1 至 101 个级别的列表。",
    "Grades must start at 0, without gaps or duplicates.": "级别从 0 开始，不能有间断或重复。",
    "The points of grade %s are below those of the grade before.": "级别 %s 的积分低于前一级别。",
    "The points of grade %s have more than four decimals.": "级别 %s 的积分超过四位小数。",
    "Grade %s has no tasks.": "级别 %s 没有任务。",
    "The target %s of grade %s is below that of the grade before.": "任务 %s 在级别 %s 的目标低于前一级别。",
    "A grade that members hold can be switched off but not removed.": "仍有会员的级别可以停用，但不能删除。",
    "The levels violate this rule: %s.": "等级不符合要求：%s。",
    "A value of the levels is missing, not of the right type or too large.": "等级中有值缺失、类型不对或过大。",
    "There is no active level of this grade.": "该级别不存在或未启用。",
    "Somebody else has changed the levels since you read them.": "您读取之后，等级已被他人修改。",
    ...Object.fromEntries(Object.entries(taskWords).map(([type, { zh }]) => [type, `“${zh}”`])),
    "grade is between 0 and 100": "级别在 0 至 100 之间",
    "name is a short text": "名称是一段简短的文字",
    "direct points are between 0 and a million": "直推积分在 0 至一百万之间",
    "umbrella points are between 0 and a million": "级差积分在 0 至一百万之间",
    "grade 0 is active and brings no points": "级别 0 处于启用状态且不带积分",
    "grade 0 has no tasks": "级别 0 没有任务",
    "type is known": "任务类型是已知的类型",
    "target is positive": "任务目标大于 0",
    // The plan.
    "A plan must be an object.": "方案应为一个对象。",
    "The plan has no setting %s.": "方案没有设置项 %s。",
    "A ratio is a number with at most five decimals.": "比例应为最多五位小数的数字。",
    "payout_cap has at most five decimals.": "payout_cap 最多五位小数。",
    "The roles of this account do not allow this. An administrator with the role owner can do it.":
      "该账号的角色无此权限；请由“所有者”角色的管理员操作。",
    "minimum_base has at most two decimals.": "minimum_base 最多两位小数。",
    "points_per_brokerage has at most four decimals.": "points_per_brokerage 最多四位小数。",
    "The plan violates this rule: %s.": "方案不符合要求：%s。",
    "A value of the plan is missing, not of the right type or too large.": "方案中有值缺失、类型不对或过大。",
    "people per cycle is between 1 and 100": "每周期人数在 1 至 100 之间",
    "there is one ratio per person": "每个人对应一个比例",
    "no ratio is missing": "没有缺少的比例",
    "every ratio is between 0 and the payout cap": "每个比例在 0 与佣金上限之间",
    "minimum base is between a cent and a million": "最低计佣金额在 0.01 至一百万之间",
    "holding days is between 0 and 365": "佣金到账天数须在 0 至 365 之间",
    "payout cap is between 0 and 1": "佣金上限在 0 至 1 之间",
    "scope is known": "佣金范围是已知的选项",
    "timing is known": "结算时机是已知的选项",
    "points per brokerage is between 0 and 100": "每 1.00 佣金的积分在 0 至 100 之间",
    "max depth is positive": "最大层数大于 0",
    // Orders and payments.
    "The price of an item in a cart is an amount such as 19.90, and is_chosen is true or false.":
      "购物车中的 price 应为金额，例如 19.90；is_chosen 应为 true 或 false。",
    "A cart has each product once.": "购物车中每件商品只能出现一次。",
    "Name at most %s different ids.": "最多给出 %s 个不同的编号。",
    "An item has a product_id and a quantity, nothing else.": "每个条目只能包含 product_id 和 quantity。",
    "An order has between 1 and 50 items.": "一个订单应有 1 至 50 个条目。",
    "Every item needs a product_id and a quantity between 1 and 9999.":
      "每个条目需要 product_id 和 1 至 9999 之间的 quantity。",
    "Product %s is not on sale.": "商品 %s 已下架。",
    "A discount is larger than the price.": "优惠金额大于价格。",
    "Only an unpaid order can be cancelled; ask for a refund instead.": "只有未付款的订单可以取消；请改为申请退款。",
    "Only the receipt of a paid order that is not refunded can be confirmed.": "只有已支付且未退款的订单可以确认收货。",
    "Only a paid order that is not refunded can be marked as shipped.": "只有已支付且未退款的订单可以发货。",
    "Only an order that is paid or shipped, and not refunded, takes a parcel.":
      "只有已支付或已发货、且未全额退款的订单可以添加包裹。",
    "Another parcel of the order has this tracking number.": "该订单的另一个包裹已使用此快递单号。",
    "The list of carriers has no such carrier, or it is not in use.": "快递公司列表中没有该公司，或该公司已停用。",
    "A tracking number is one line of 1 to 64 characters.": "快递单号应为一行 1 至 64 个字符。",
    "A tracking number has 6 to 40 letters, digits and hyphens, at least four of them digits. A date, a word and a number that a spreadsheet has rounded are none.":
      "快递单号由 6 至 40 个字母、数字和连字符组成，至少含 4 个数字，不能是日期、文字，也不能是被表格软件变成科学计数法的数字。",
    "This carrier gives no such tracking number. Check the number, and choose the carrier that gave it.":
      "该快递公司没有这种单号，请核对单号，并选择寄件的快递公司。",
    "The receipt of this order is confirmed, so its parcels no longer change.":
      "该订单已确认收货，包裹信息不能再修改。",
    "Send 1 to 500 lines, each with its number in the file.": "请发送 1 至 500 行，每行注明在文件中的行号。",
    "None of these lines fits an order that waits for its shipment.": "这些行都不对应待发货的订单。",
    "Name 1 to 500 orders by their ids.": "请给出 1 至 500 个订单编号。",
    "Another carrier has this code or name.": "已有快递公司使用该代码或名称。",
    "Expected capital letters and digits.": "应为大写字母和数字。",
    "Expected 1 to 500 ids, separated by commas.": "应为 1 至 500 个以逗号分隔的编号。",
    "A payment needs a type and a reference of 1 to 128 characters.": "付款需要方式和 1 至 128 个字符的凭证号。",
    "This order was already paid with another payment reference.": "该订单已用另一个付款凭证号支付。",
    "This order is free of charge. Payment providers do not accept a payment of zero.":
      "该订单金额为零，支付机构不受理零金额支付。",
    "The payment of this order was started 50 times. Place a new order.": "该订单已发起 50 次支付，请重新下单。",
    "Only a payment that could not be applied to an order can be refunded here.": "只有待处理款项才能在此退款。",
    "Only a refund that the provider did not pay can be retried.": "只有支付机构未支付的退款才能重试。",
    "This refund has already been retried.": "该退款已重试。",
    "This call has already been completed.": "该请求已处理完毕。",
    "A worker takes between 1 and 100 rows at a time.": "一次领取 1 至 100 条待处理请求。",
    "The state of a payment must be open, paid, closed or unknown.": "支付状态应为 open、paid、closed 或 unknown。",
    "An HTTP status has three digits.": "HTTP 状态码应为三位数。",
    "The state of a refund must be accepted, succeeded or failed.": "退款状态应为 accepted、succeeded 或 failed。",
    "The provider, the method or the payer is missing or too long.": "缺少支付机构、支付方式或付款人，或其内容过长。",
    "A part of the response is missing, too long or too large.": "返回内容有缺失、过长或数值过大。",
    "openid is allowed only with the method jsapi.": "仅当支付方式为 jsapi 时才可提供 openid。",
    "Sign in with WeChat, or send the openid of the payer.": "请用微信登录，或提供付款人的 openid。",
    "There is no such member, or they have left.": "没有该会员，或该会员已离开。",
    "There is no member with this number, or they have left.": "没有该编号的会员，或该会员已离开。",
    "Say in 1 to 500 characters how the difference came about.": "请用 1 至 500 个字符说明差异的由来。",
    "Say in 1 to 500 characters why the referrer is set.": "请用 1 至 500 个字符说明设置推荐人的原因。",
    "Order %s of this member, or of somebody below, is settled.": "该会员或其下级的订单 %s 已结算。",
    "Say in 1 to 500 characters why the payment is refused.": "请用 1 至 500 个字符说明拒绝该付款的原因。",
    "The outbox has the lanes calls and messages.": "待处理请求的通道只能是 calls 或 messages。",
    "There is no such result of a message.": "没有这种消息发送结果。",
    "Name different topics of notices.": "请填写互不相同的通知类别。",
    "seen was not returned by the list of notices.": "seen 不是通知列表给出的值。",
    "A time of day has the form 22:00.": "时间格式应为 22:00。",
    "Quiet hours have a beginning and another end, or neither.":
      "免打扰时段须同时填写开始和结束，且两者不同；或都留空。",
    "templates is a list with one template for a type of notice at most.":
      "templates 应为模板列表，每种通知最多一个模板。",
    "removed is a list of types of notices.": "removed 应为通知类型列表。",
    "A template is for a type of notice, and each type has one at most.":
      "模板须对应一种通知，且每种通知最多一个模板。",
    "The id of a template has up to 64 letters, digits, - and _.":
      "模板 ID 最多 64 个字符，只能包含字母、数字、- 和 _。",
    "A template has up to ten fields such as thing1, each with what it says.":
      "模板最多十个字段（如 thing1），每个字段须指定内容。",
    "answers has up to ten templates, each with the answer of WeChat.":
      "answers 最多包含十个模板，每个模板对应微信返回的结果。",
    "Name different kinds of what can wait.": "请填写互不相同的待处理事项类别。",
    "The language is en or zh.": "语言只能是 en 或 zh。",
    "Send at most 20 views with different names of one line.": "最多保存 20 个视图，名称不能重复，且只能为一行。",
    "There is no list of this name.": "没有这个列表。",
    "Between two notices lie 15, 60, 240 or 1440 minutes.": "两次提醒的间隔只能是 15、60、240 或 1440 分钟。",
    "It changes rows of several shards, which commit separately.": "该操作须更改多个分片上的数据，而各分片分别提交。",
    "It reads rows of several shards, which are not put together.": "该内容分布在多个分片上，无法合并。",
    "It needs the account, which is at home, and the member, who is on a shard.":
      "账号在主库，会员在分片上，该操作须两者兼有。",
    "Its token does not say on which shard the picture is.": "无法由其令牌得知图片在哪个分片上。",
    "page times limit is at most 10000.": "page 与 limit 之积不得超过 10000。",
    "It puts rows of several shards together by their ids only.": "多个分片上的数据只能按编号合并排序。",
    "Webhooks and addresses of mails are at home, and what they tell is on the shards.":
      "Webhook 与邮箱地址在主库，所通知的内容在分片上。",
    "A product of a store with shards has no limited stock.": "分片商城的商品不支持限量库存。",
    "No payment of this order waits for a second administrator.": "该订单没有待第二位管理员确认的付款。",
    "This order is %s and cannot be paid.": "该订单%s，不能支付。",
    "This payment reference already paid another order.": "该付款凭证号已支付过其他订单。",
    "A part of the notification is missing, too long or too large.": "支付通知中有内容缺失、过长或过大。",
    "The provider or the reason is missing or too long.": "支付机构或原因缺失或过长。",
    "A batch has between 1 and 1000 jobs.": "每批应有 1 至 1000 个任务。",
    "Only a paid order with queue goods can be settled.": "只有已支付且包含报单商品的订单可以结算。",
    "This order has no settlement job: it is settled, or has nothing to settle.":
      "该订单没有结算任务：已结算，或无需结算。",
    // Administrators.
    "The roles are owner, finance, service and content. An administrator has at least one.":
      "角色包括 owner、finance、service 和 content；管理员至少有一个角色。",
    "This account is the last one with the role owner. Give the role to another account first.":
      "该账号是最后一个“所有者”；请先将此角色授予另一个账号。",
    "The name must have 1 to 64 characters in one line and must not be blank.":
      "姓名应为 1 至 64 个字符的单行文字，且不能为空白。",
    "You cannot give up the role owner yourself; another owner can take it from you.":
      "不能自行放弃“所有者”角色，请由另一位所有者操作。",
    "You cannot remove yourself; another owner can.": "不能移除自己，请由另一位所有者操作。",
    "An invitation needs an email address and at least one role.": "邀请需要填写邮箱并至少选择一个角色。",
    "You remove your own devices in the menu of your account. Two other owners can remove them for you.":
      "自己的设备请在账号菜单中移除；也可由另外两位所有者代为移除。",
    "This administrator has no second factor.": "该管理员没有设置第二重验证。",
    "Nobody asks for this any more.": "该申请已不存在。",
    "You asked for this. Another owner must confirm it.": "该申请由您提出，须由另一位所有者确认。",
    "This address belongs to an administrator. Change the roles there.": "该邮箱已属于一位管理员，请直接修改其角色。",
    "Expected an email address.": "应为邮箱地址。",
    "Send roles or name.": "请至少提供 roles 或 name。",
    "This invitation was accepted or withdrawn.": "该邀请已被接受或撤回。",
    // Adjustments.
    "An adjustment changes at least one balance.": "调账至少应改变一项余额。",
    "An adjustment changes a balance by at most 100000000.": "单笔调账对每项余额的改变不得超过 100000000。",
    "Points have at most four decimals.": "积分最多四位小数。",
    "An adjustment needs a reason of 1 to 500 characters.": "调账需要填写 1 至 500 个字符的原因。",
    "An adjustment is a correction, a forfeit or a payout.": "调账类型为 correction、forfeit 或 payout。",
    "Only what a member who left is still owed is paid out or declared given up.":
      "只有已离开会员的应付余额可以付清或确认放弃，且不得超过余额。",
    "The member gave up what they had when they left. An adjustment gives them at most what they owe.":
      "该会员注销时已放弃全部余额，调账最多只能抵销其欠款。",
    "The member gave up what they had when they left. Refuse the adjustment.":
      "该会员注销时已放弃全部余额，请拒绝该笔调账。",
    "The member has fewer frozen points than this adjustment takes.": "会员的冻结积分少于本次调减的数量。",
    "The member is now owed less than this adjustment takes. Refuse it.":
      "该会员的应付余额已少于本次调减的数量，请拒绝。",
    "The member now has fewer frozen points than this adjustment takes. Refuse it.":
      "会员目前的冻结积分少于本次调减的数量，请拒绝该笔调账。",
    "A second administrator with the role owner or finance must approve what concerns a member who left. There is none.":
      "涉及已离开会员的调账须由另一位具有“所有者”或“财务”角色的管理员批准，但目前没有这样的管理员。",
    "Above the limit of a day, a second administrator with the role owner or finance must approve. There is none.":
      "超过单人单日限额须由另一位具有“所有者”或“财务”角色的管理员批准，但目前没有这样的管理员。",
    "You approved this withdrawal. Another administrator with the role owner or finance must pay it.":
      "该笔提现由您批准，须由另一位具有“所有者”或“财务”角色的管理员付款。",
    "A machine key is never the second to decide. An administrator with the role owner or finance, who has not decided before, must do it.":
      "机器密钥不能作为第二人审批，须由除其负责人以外、具有“所有者”或“财务”角色的管理员本人办理。",
    "You made this adjustment. Another administrator with the role owner or finance must decide it.":
      "该笔调账由您提交，须由另一位具有“所有者”或“财务”角色的管理员审批。",
    "This adjustment has been decided.": "该笔调账已审批。",
    // Withdrawals.
    "An account is at a bank or at Alipay.": "收款账户只能是银行账户或支付宝账户。",
    "The name of the account holder must have 1 to 64 characters and must not be blank.":
      "收款人姓名应为 1 至 64 个字符，且不能只有空白。",
    "A bank account number has 8 to 34 digits or letters.": "银行账号应为 8 至 34 位数字或字母。",
    "An Alipay account is a phone number or an email address.": "支付宝账号应为手机号或邮箱。",
    "A bank account needs the name of the bank; an Alipay account has none.":
      "银行账户需要填写开户银行；支付宝账户不需要。",
    "The name of the bank must have 1 to 64 characters and must not be blank.":
      "开户银行应为 1 至 64 个字符，且不能只有空白。",
    "A member has at most 10 accounts; delete one first.": "每位会员最多保存 10 个收款账户，请先删除一个。",
    "A withdrawal to this account is not finished yet.": "该账户有一笔提现尚未完成。",
    "The member was deleted, and the account with them. Refuse this withdrawal.":
      "会员已注销，收款账户已随之删除；请拒绝该笔提现。",
    "The store does not pay out this way at present.": "商城目前不支持该提现方式。",
    "An amount has at most two decimals.": "金额最多两位小数。",
    "A withdrawal is at least %s.": "单笔提现不得低于 %s。",
    "A withdrawal is at most %s.": "单笔提现不得高于 %s。",
    "Your last withdrawal is not finished yet.": "上一笔提现尚未完成。",
    "You can withdraw at most %s now.": "当前最多可提现 %s。",
    "You can withdraw at most %s now. Open refund requests hold %s.": "当前最多可提现 %s，另有 %s 因退款申请暂扣。",
    "Refund requests hold all of these withdrawals.": "这些提现全部因退款申请暂扣。",
    "Open refund requests hold %s: %s.": "退款申请暂扣 %s：%s。",
    "This withdrawal is %s.": "该笔提现的状态为：%s。",
    "The store has already begun to approve this withdrawal.": "商城已开始批准该笔提现。",
    ...wordsIn("zh", withdrawalStateWords),
    "A withdrawal that is not paid needs a reason of 1 to 500 characters.": "未付款的提现需要 1 至 500 个字符的原因。",
    "A payment reference has 1 to 128 characters.": "付款凭证号应为 1 至 128 个字符。",
    "Only a paid withdrawal has a payment reference.": "只有已付款的提现才有付款凭证号。",
    "A batch is for a bank or for Alipay.": "批次只能用于银行或支付宝。",
    "A batch takes only approved withdrawals of its method, and at least one.":
      "批次只能包含已批准且方式相同的提现，且至少一笔。",
    "There is no such batch.": "批次不存在。",
    "Name 1 to 1000 different ids.": "请给出 1 至 1000 个不同的编号。",
    "Say whether the products are to be on sale.": "请说明商品是否在售。",
    "limit is between 1 and 1000.": "limit 应在 1 至 1000 之间。",
    "A day is written as 2027-01-01.": "日期的格式为 2027-01-01。",
    "The real name of this member waits to be checked, or was refused. Check it first, or refuse this withdrawal, too.":
      "该会员的实名信息待核验或已被驳回。请先核验，或将该笔提现一并驳回。",
    "Put this withdrawal into a batch first, which fixes its tax.": "请先将该笔提现加入批次，税额在加入批次时确定。",
    "An allowance needs a reason of 1 to 500 characters.": "登记扣除须填写 1 至 500 个字符的原因。",
    "An allowance has an amount that is not 0, and none beyond 100000000.00.":
      "请至少填写一个不为 0 的金额，且不超过 100000000.00。",
    "The sums of a month cannot be negative.": "当月合计不能为负。",
    "The picture must be on one of these sites: %s.": "头像须来自以下网站：%s。",
    "A text is a nickname or a refund reason, and passes, needs a review, or is risky.":
      "内容应为昵称或退款原因，结果应为通过、需复核或有风险。",
    "The text contains words that this store does not allow.": "内容含有本商城不允许使用的文字。",
    // Transfers.
    "Only a withdrawal to WeChat names the payee, with 1 to 64 characters.":
      "只有提现到微信需要填写收款人姓名，长度为 1 至 64 个字符。",
    "WeChat transfers at least %s.": "微信单笔转账不得低于 %s。",
    "WeChat transfers at most %s at once.": "微信单笔转账不得高于 %s。",
    "From %s on, WeChat needs your full name.": "达到 %s 时，微信要求填写您的真实姓名。",
    "Sign in with WeChat to withdraw to WeChat.": "请使用微信登录后再提现到微信。",
    "The state of a transfer is unknown, accepted, confirming, transferring, cancelling, succeeded, failed or cancelled.":
      "转账状态应为 unknown、accepted、confirming、transferring、cancelling、succeeded、failed 或 cancelled。",
    "WeChat says how a transfer ends. Ask again, or cancel it.": "转账结果以微信为准；请重新查询，或撤销转账。",
    "Only a transfer that the member has not confirmed can be cancelled.": "只有会员尚未确认收款的转账才能撤销。",
    "The merchant %s has requested this transfer. Another one cannot continue it.":
      "该笔转账由商户 %s 发起，其他商户不能继续处理。",
    "The id of a merchant has 1 to 64 characters.": "商户号长度应为 1 至 64 个字符。",
    "A part of the response is too long.": "响应中有内容过长。",
    // Refunds.
    "Only a paid order can be refunded.": "只有已支付的订单可以退款。",
    "Nothing of this order is left to refund.": "该订单已没有可退的商品。",
    "A refund has between 1 and 50 lines.": "一次退款应包含 1 至 50 行。",
    "Every line of a refund needs a line_id and a quantity between 1 and 9999.":
      "退款的每一行需要 line_id 和 1 至 9999 之间的 quantity。",
    "The goods of this order have not left the store.": "该订单的商品尚未发货。",
    "Enter the return address in the settings first.": "请先在设置中填写退货地址。",
    "The store has not asked for the goods of this request.": "商城未要求寄回该申请的商品。",
    "The returned goods have arrived, so their parcel no longer changes.": "商城已收到退货，退货物流信息不能再修改。",
    "A carrier is one line of 1 to 64 characters.": "快递公司应为 1 至 64 个字符，不能换行。",
    "Every line of a refund needs a line_id, and either a quantity between 1 and 9999 or an amount of at least 0.01.":
      "退款的每一行需要 line_id，并在 quantity（1 至 9999）与 amount（不低于 0.01）中填写一项。",
    "A refund names lines, or an amount for the order as a whole, not both.":
      "退款可按行填写，也可填写整单金额，不能同时使用。",
    "A refund names units, an amount or freight.": "退款应填写件数、金额或运费。",
    "The amount of a refund is at least 0.00.": "退款金额不得低于 0.00。",
    "The freight of a refund is at least 0.00.": "退还的运费不得低于 0.00。",
    "The refund pays back more of a line than is left of what was paid for it.": "退款金额超出该行剩余的可退金额。",
    "The refund pays back more than is left of what was paid for the goods.": "退款金额超出商品剩余的可退金额。",
    "The refund pays back more freight than is left of it.": "退还的运费超出剩余的可退运费。",
    "An amount leaves at least 0.01 of a line with queue goods. To pay all of it back, name its units.":
      "按金额退款时，报单商品的行至少保留 0.01；如需全额退还，请按件数退款。",
    "A refund may contain each line only once.": "退款中每一行只能出现一次。",
    "The refund contains units that the order does not have or that were already refunded.":
      "退款包含订单中没有或已退过的件数。",
    "The review lists who would fall or who would rise.": "等级复核只列出可能降级或可以升级的会员。",
    "A refund reference has between 1 and 128 characters.": "退款凭证号应为 1 至 128 个字符。",
    "This order has no open refund request.": "该订单没有待处理的退款申请。",
    "Another refund of this order has this reference.": "该订单的另一笔退款已使用此凭证号。",
    "A reason has at most 500 characters.": "原因最多 500 个字符。",
    "This order already has a refund request that is not decided yet.": "该订单已有退款申请，尚未处理。",
    "The goods were sent back, so the store answers the request.": "商品已寄回，请等待商城处理该申请。",
    // The release, the schedule and simulations.
    "Business day %s has not come yet; today is %s.": "营业日 %s 尚未到来；今天是 %s。",
    "Business day %s is more than a year ago.": "营业日 %s 已超过一年。",
    "A chunk has between 1 and 1000 members.": "每批应有 1 至 1000 名会员。",
    'A schedule is "minute hour * * *", "minute hour * * weekday", "minute * * * *" or "*/n * * * *".':
      '计划应为 "分 时 * * *"、"分 时 * * 星期"、"分 * * * *" 或 "*/n * * * *"。',
    "Send schedule or is_active.": "请给出计划，或任务是否启用。",
    "pg_cron is not installed in this database.": "该数据库未安装 pg_cron。",
    "There is no scheduled job of this name.": "没有该名称的定时任务。",
    "Replaying these orders takes longer than a request may take. Choose a shorter period.":
      "重新计算这些订单的时间超过一次请求的时限，请选择更短的时段。",
    "More than %s orders. Choose a shorter period.": "订单超过 %s 个，请选择更短的时段。",
    "The end of a period must be after its beginning.": "时段的结束应晚于开始。",
    "A simulation has at least one order and one member.": "模拟至少包含一个订单和一名会员。",
    "Partitions are made for months between the years 2000 and 3000.": "只为 2000 年至 3000 年之间的月份建立分区。",
    "Partitions are made for at most ten years at a time.": "一次最多建立十年的分区。",
    // Settings, products and articles.
    "There is no time zone of this name. Use a name such as Asia/Shanghai.":
      "没有该名称的时区；请使用如 Asia/Shanghai 的名称。",
    "The share link URL must begin with http:// or https:// and a host, and have at most 500 characters and no blanks.":
      "分享链接地址应以 http:// 或 https:// 和域名开头，不超过 500 个字符，且不含空格。",
    "Share links name the member behind the share link URL, so it must contain no #, no user, no spread and no share, and not end with ?. Use %s instead.":
      "分享链接会在该地址末尾加上会员编号，因此地址不能包含 #、用户名、spread 或 share，也不能以 ? 结尾。请改为 %s。",
    "The colour must be # and six hexadecimal digits, such as #c8102e.":
      "颜色由 # 和六位十六进制数字组成，例如 #c8102e。",
    "texts have no control characters": "文字不含控制字符",
    "description is a text of at most 20000 characters": "描述最多 20000 个字符，不含控制字符",
    "title is a short text": "标题是一段简短的文字",
    "a product has at most 12 images": "商品最多 12 张图片",
    "images are web addresses of at most 1000 characters": "图片为 http 或 https 网址，每个最多 1000 个字符",
    "stock is not negative": "库存不能为负数",
    "low stock is not negative": "预警库存不能为负数",
    "poster design is known": "海报样式须为 warm、light 或 dark",
    "there are at most 10 banners": "轮播图最多 10 张",
    "image is a web address of at most 1000 characters": "图片为 http 或 https 网址，最多 1000 个字符",
    "There are at most 100 categories of products.": "商品分类最多 100 个。",
    "The categories have changed. Read them again and sort all of them.": "分类已有变动，请刷新后重新排序。",
    "There are at most 10 banners, each with a picture, a title and the product to which it leads, or none.":
      "轮播图最多 10 张，每张应有图片、标题，以及链接的商品（可不填）。",
    "nickname is a short text": "昵称是一段简短的文字",
    "avatar is an address": "头像为 http 或 https 网址",
    "carrier is a short text": "快递公司是一段简短的文字",
    "tracking no is a short text": "快递单号是一段简短的文字",
    "code is a short name": "代码是简短的大写字母和数字",
    "name zh is a short text": "中文名称是一段简短的文字",
    "tracking url has a place for the number": "查询地址中有单号的位置 {number}",
    "a parcel has a carrier or a number": "包裹有快递公司或快递单号",
    "a carrier of the list has a name": "列表中的快递公司有名称",
    "url is of http or relative": "链接为 http、https 或相对网址",
    "image is of http or relative": "图片为 http、https 或相对网址",
    "price is between 0 and a million": "价格在 0 至一百万之间",
    "freight is between 0 and a million": "运费在 0 至一百万之间",
    "status is 0 or 1": "status 为 0 或 1",
    "is del is 0 or 1": "is_del 为 0 或 1",
    "hidden is 0 or 1": "hidden 为 0 或 1",
    "cid is not the id of an article category.": "cid 不是已有的文章分类。",
    // Pictures.
    "An SVG is not accepted, because it can contain programs. Upload a JPEG, PNG or WebP.":
      "不接受 SVG，因为其中可能含有程序；请上传 JPEG、PNG 或 WebP 图片。",
    "This phone format (HEIC or AVIF) is not accepted. Save the picture as JPEG and upload it again.":
      "不接受该手机格式（HEIC 或 AVIF）；请将图片另存为 JPEG 后重新上传。",
    "This is not a picture of a known kind. Upload a JPEG, PNG or WebP.":
      "无法识别该图片；请上传 JPEG、PNG 或 WebP 图片。",
    "The picture has more than 16 megapixels, or more than 16,384 pixels on a side. Make it smaller and upload it again.":
      "图片超过 1600 万像素，或有一边超过 16384 像素；请缩小后重新上传。",
    "The picture is a progressive JPEG or a WebP with more than 8 megapixels. Make it smaller and upload it again.":
      "图片为超过 800 万像素的渐进式 JPEG 或 WebP；请缩小后重新上传。",
    "The picture is damaged or incomplete.": "图片已损坏或不完整。",
    "Animated pictures are not accepted. Upload a still one.": "不接受动态图片；请上传静态图片。",
    "The picture has 16 bits for each colour. Save it with 8 bits and upload it again.":
      "图片的每个颜色为 16 位；请另存为 8 位后重新上传。",
    "The picture has colours for printing (CMYK). Save it in RGB and upload it again.":
      "图片采用印刷色（CMYK）；请另存为 RGB 后重新上传。",
    "A picture has at most 5 MB.": "图片不能超过 5 MB。",
    "A picture was removed, because nothing has shown it for a week or WeChat refuses it. Upload one again.":
      "有图片因一周内无人使用或未通过微信的内容检查已被移除，请重新上传。",
    "The pictures are an array of ids.": "图片须为编号的数组。",
    "A refund request has at most 6 pictures.": "退款申请最多附 6 张图片。",
    "A picture is none that you have uploaded for a refund request and not used yet. Upload it again.":
      "有图片不是你为退款申请上传的，或已用于其他申请；请重新上传。",
    "You can upload at most %s pictures for refund requests in an hour. Try again in %s minutes.":
      "每小时最多为退款申请上传 %s 张图片，请在 %s 分钟后再试。",
    "The number of a check has at most 128 characters.": "检查编号最多 128 个字符。",
    "A picture passes, needs a review, or is risky.": "图片的检查结果只能是通过、需复核或有风险。",
    "This refund has no such picture.": "该退款没有这张图片。",
    // Posters.
    "A part of the poster is missing, not base64 or too large.": "海报中有内容缺失、不是 base64 或过大。",
    "The picture is not base64 or too large.": "图片不是 base64 或过大。",
    "The addresses and the names of the variables are required.": "必须提供地址和变量名称。",
    "A part of the token is missing or too large.": "令牌中有内容缺失或过大。",
  }),
);

/** Translates a sentence of the catalogue into Chinese. @returns an unknown sentence unchanged */
export const inChinese = translator(CHINESE);
