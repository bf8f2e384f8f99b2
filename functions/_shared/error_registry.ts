/** The definition of one error code. */
export interface ErrorEntry {
  /** HTTP status. */
  readonly status: number;
  /** The problem's title in English. */
  readonly title: string;
  /** The problem's title in Chinese, sent to clients that prefer Chinese. */
  readonly title_zh: string;
  /** What the client should do next. Also the problem's detail, unless a more specific one is given. */
  readonly hint: string;
  /** The hint in Chinese. */
  readonly hint_zh: string;
  /** Seconds for the Retry-After header, if a retry may succeed. */
  readonly retry_after?: number;
}

/**
 * Every error that a client can receive, by its stable code. `app.fail` has the status of each code that the database raises, and
 * docs/errors.md documents all codes. test/contract/error_codes.test.ts checks that the three agree.
 */
export const ERRORS = {
  malformed_json: {
    status: 400,
    title: "The body is not valid JSON",
    title_zh: "请求体不是有效的 JSON",
    hint: "Send one JSON value in UTF-8.",
    hint_zh: "请发送一个 UTF-8 编码的 JSON 值。",
  },
  unauthenticated: {
    status: 401,
    title: "Sign-in is required",
    title_zh: "需要登录",
    hint: "Sign in and send the access token as \"Authorization: Bearer <token>\".",
    hint_zh: "请先登录，并在请求头中发送访问令牌：\"Authorization: Bearer <token>\"。",
  },
  invalid_token: {
    status: 401,
    title: "The access token is not valid",
    title_zh: "访问令牌无效",
    hint: "Sign in again and send the new access token.",
    hint_zh: "请重新登录，并使用新的访问令牌。",
  },
  token_expired: {
    status: 401,
    title: "The access token has expired",
    title_zh: "访问令牌已过期",
    hint: "Refresh the session and repeat the request with the new access token.",
    hint_zh: "请刷新会话，用新的访问令牌重新发送请求。",
  },
  signature_invalid: {
    status: 401,
    title: "The signature is not valid",
    title_zh: "签名无效",
    hint: "Sign the exact bytes of the body with the configured key and the current time.",
    hint_zh: "请用约定的密钥和当前时间，对请求体的原始字节签名。",
  },
  forbidden: {
    status: 403,
    title: "This account is not allowed to do that",
    title_zh: "该账号无权执行此操作",
    hint: "Sign in with an account that has the role required by this endpoint.",
    hint_zh: "请使用具备该接口所需角色的账号登录。",
  },
  own_account: {
    status: 403,
    title: "An administrator cannot do this to their own account",
    title_zh: "管理员不能对自己的账号执行此操作",
    hint: "Ask another administrator to do it.",
    hint_zh: "请由另一位管理员操作。",
  },
  wechat_user_refused: {
    status: 403,
    title: "WeChat refuses this account",
    title_zh: "微信拒绝该账号登录",
    hint: "WeChat restricts the account. Use another way to sign in.",
    hint_zh: "该微信账号受限，请使用其他方式登录。",
  },
  wechat_user_virtual: {
    status: 403,
    title: "WeChat opened a preview with a virtual account",
    title_zh: "当前为微信快照页，使用的是虚拟账号",
    hint: "Leave the preview, open the full page in WeChat and sign in again.",
    hint_zh: "请退出快照页，在微信中打开完整页面后重新登录。",
  },
  route_not_found: {
    status: 404,
    title: "There is no such endpoint",
    title_zh: "接口不存在",
    hint: "Compare the path with the endpoint list in openapi.json.",
    hint_zh: "请对照 openapi.json 中的接口列表检查路径。",
  },
  order_not_found: {
    status: 404,
    title: "There is no such order",
    title_zh: "订单不存在",
    hint: "Check the order id. Members can access only their own orders.",
    hint_zh: "请检查订单编号；会员只能查看自己的订单。",
  },
  product_not_found: {
    status: 404,
    title: "There is no such product",
    title_zh: "商品不存在",
    hint: "Check the product id. The product may have been withdrawn.",
    hint_zh: "请检查商品编号；该商品可能已下架。",
  },
  user_not_found: {
    status: 404,
    title: "There is no such member",
    title_zh: "会员不存在",
    hint: "Check the uid, which is the member number.",
    hint_zh: "请检查 uid（会员编号）。",
  },
  job_not_found: {
    status: 404,
    title: "There is no such settlement job",
    title_zh: "结算任务不存在",
    hint: "Read the job list again. Finished jobs are removed from it.",
    hint_zh: "请重新读取任务列表；已完成的任务不再列出。",
  },
  crontab_not_found: {
    status: 404,
    title: "There is no such scheduled job",
    title_zh: "定时任务不存在",
    hint: "Use a name from the list of scheduled jobs.",
    hint_zh: "请使用定时任务列表中的名称。",
  },
  refund_not_found: {
    status: 404,
    title: "There is no open refund request",
    title_zh: "没有待处理的退款申请",
    hint: "Read the order again. The request may have been decided already.",
    hint_zh: "请重新读取订单；该申请可能已处理。",
  },
  payment_not_found: {
    status: 404,
    title: "There is no such payment",
    title_zh: "支付记录不存在",
    hint: "Read the order again. Only a payment that could not be applied to an order can be refunded on its own.",
    hint_zh: "请重新读取订单；只有待处理款项才能单独退款。",
  },
  poster_not_found: {
    status: 404,
    title: "There is no such poster",
    title_zh: "海报不存在",
    hint: "The poster has changed. Request its current address.",
    hint_zh: "海报已更新，请重新获取海报地址。",
  },
  address_not_found: {
    status: 404,
    title: "There is no such address",
    title_zh: "地址不存在",
    hint: "Read the address book again; the address may have been deleted.",
    hint_zh: "请重新读取地址簿；该地址可能已删除。",
  },
  article_not_found: {
    status: 404,
    title: "There is no such article",
    title_zh: "文章不存在",
    hint: "Read the article list again. The article may have been deleted.",
    hint_zh: "请重新读取文章列表；该文章可能已删除。",
  },
  article_category_not_found: {
    status: 404,
    title: "There is no such article category",
    title_zh: "文章分类不存在",
    hint: "Read the category list again. The category may have been deleted.",
    hint_zh: "请重新读取分类列表；该分类可能已删除。",
  },
  wechat_app_not_configured: {
    status: 404,
    title: "There is no such WeChat app",
    title_zh: "未配置该微信应用",
    hint: "Check the app id. The store accepts only the WeChat apps in its settings.",
    hint_zh: "请检查 appid；商城只接受已配置的微信应用。",
  },
  method_not_allowed: {
    status: 405,
    title: "This endpoint does not support that method",
    title_zh: "接口不支持该请求方法",
    hint: "Use one of the methods named in the Allow header.",
    hint_zh: "请使用响应头 Allow 中列出的方法。",
  },
  body_timeout: {
    status: 408,
    title: "The body did not arrive in time",
    title_zh: "请求体接收超时",
    hint: "Nothing was changed. Send the request again, with its whole body at once.",
    hint_zh: "未作任何更改；请重新发送请求，并一次发送完整的请求体。",
  },
  order_state_conflict: {
    status: 409,
    title: "The order is not in a state that allows this",
    title_zh: "订单当前状态不允许此操作",
    hint: "Read the order again and act on its current state.",
    hint_zh: "请重新读取订单，按其当前状态操作。",
  },
  order_already_paid: {
    status: 409,
    title: "The order is already paid",
    title_zh: "订单已付款",
    hint: "Do not pay again. Read the order to see its payment.",
    hint_zh: "无需再次支付；请读取订单查看已入账的付款。",
  },
  too_many_unpaid_orders: {
    status: 409,
    title: "Too many unpaid orders",
    title_zh: "未付款订单过多",
    hint: "Pay or cancel an unpaid order first.",
    hint_zh: "请先支付或取消一笔未付款订单。",
  },
  too_many_addresses: {
    status: 409,
    title: "Too many addresses",
    title_zh: "地址数量过多",
    hint: "Delete an address that is no longer needed.",
    hint_zh: "请先删除不再使用的地址。",
  },
  out_of_stock: {
    status: 409,
    title: "There is not enough of a product in stock",
    title_zh: "商品库存不足",
    hint: "Read the products again and order fewer units.",
    hint_zh: "请重新读取商品，并减少购买数量。",
  },
  price_changed: {
    status: 409,
    title: "The price has changed",
    title_zh: "价格已变动",
    hint: "Preview the order again and confirm the new price.",
    hint_zh: "请重新获取订单价格，并确认新的价格。",
  },
  changed_meanwhile: {
    status: 409,
    title: "Somebody else has changed this in the meantime",
    title_zh: "内容已被他人修改",
    hint: "Read the current version and apply your change to it.",
    hint_zh: "请重新读取，并在当前内容上修改。",
  },
  payment_reference_used: {
    status: 409,
    title: "Another order was paid with this reference",
    title_zh: "该付款凭证号已用于其他订单",
    hint: "Check the payment reference. Each reference can pay only one order.",
    hint_zh: "请检查付款凭证号；每个凭证号只能支付一个订单。",
  },
  spread_already_bound: {
    status: 409,
    title: "The member already has a referrer",
    title_zh: "已绑定推荐人",
    hint: "A referrer is set once and cannot be changed.",
    hint_zh: "推荐人只能绑定一次，不能更改。",
  },
  refund_state_conflict: {
    status: 409,
    title: "The order already has an open refund request",
    title_zh: "已有待处理的退款申请",
    hint: "Wait until the open request is decided.",
    hint_zh: "请等待现有申请处理完毕。",
  },
  refund_reference_used: {
    status: 409,
    title: "Another refund has this reference",
    title_zh: "该退款凭证号已使用",
    hint: "Use a new reference for a new refund. To repeat a refund, send exactly the same content.",
    hint_zh: "新的退款请使用新的凭证号；重复提交同一退款时，内容必须完全一致。",
  },
  article_category_in_use: {
    status: 409,
    title: "The category has articles",
    title_zh: "分类下存在文章",
    hint: "Move or delete its articles first, or hide the category.",
    hint_zh: "请先移走或删除其中的文章，或将分类隐藏。",
  },
  idempotency_key_in_use: {
    status: 409,
    title: "A request with this key is still running",
    title_zh: "使用该幂等键的请求正在处理中",
    hint: "Retry after the time in Retry-After. The retry gets the response of the first request.",
    hint_zh: "请在 Retry-After 指定的时间后重新发送请求，将得到首次请求的结果。",
    retry_after: 1,
  },
  body_too_large: {
    status: 413,
    title: "The body is too large",
    title_zh: "请求体过大",
    hint: "Send at most 64 KiB.",
    hint_zh: "请求体最大为 64 KiB。",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body has an unsupported media type",
    title_zh: "不支持的请求体类型",
    hint: "Send JSON with \"Content-Type: application/json\".",
    hint_zh: "请发送 JSON，并设置 \"Content-Type: application/json\"。",
  },
  invalid_argument: {
    status: 422,
    title: "The request has values that cannot be accepted",
    title_zh: "请求参数无效",
    hint: "Correct the fields named in errors and send the request again.",
    hint_zh: "请修正 errors 中列出的字段后重新发送。",
  },
  wechat_code_invalid: {
    status: 422,
    title: "WeChat does not accept this code",
    title_zh: "微信 code 无效",
    hint: "Get a new code from WeChat. Each code works once, for five minutes, in its own app.",
    hint_zh: "请重新获取微信 code；每个 code 只能使用一次，五分钟内有效，且仅限所属应用。",
  },
  idempotency_key_reused: {
    status: 422,
    title: "This key was used for another request",
    title_zh: "该幂等键已用于其他请求",
    hint: "Send a new Idempotency-Key with a new request. To repeat a request, send exactly the same content.",
    hint_zh: "新的请求请使用新的 Idempotency-Key；重复请求时，内容必须完全一致。",
  },
  spread_unknown: {
    status: 422,
    title: "The referrer does not exist",
    title_zh: "推荐人不存在",
    hint: "Check the uid in the share link.",
    hint_zh: "请检查分享链接中的 uid。",
  },
  spread_is_self: {
    status: 422,
    title: "Nobody can refer themselves",
    title_zh: "不能绑定自己为推荐人",
    hint: "Use the share link of another member.",
    hint_zh: "请使用其他会员的分享链接。",
  },
  spread_in_own_downline: {
    status: 422,
    title: "The referrer is in the member's own downline",
    title_zh: "推荐人是会员本人的伞下会员",
    hint: "Use the share link of a member who is not below you.",
    hint_zh: "请使用非本人伞下会员的分享链接。",
  },
  product_unavailable: {
    status: 422,
    title: "A product cannot be ordered",
    title_zh: "商品无法下单",
    hint: "Read the product list again and leave out what is no longer on sale.",
    hint_zh: "请重新读取商品列表，去掉已下架的商品。",
  },
  payment_refused: {
    status: 422,
    title: "The payment does not match an order",
    title_zh: "支付与订单不符",
    hint: "Compare order number, amount and currency with the order. Administrators can see the reason.",
    hint_zh: "请核对订单、金额和币种；管理员可查看原因。",
  },
  provider_not_configured: {
    status: 422,
    title: "This store does not offer that way to pay",
    title_zh: "商城未开通该支付方式",
    hint: "Choose another provider or method.",
    hint_zh: "请选择其他支付方式。",
  },
  provider_refused: {
    status: 422,
    title: "The payment provider refused the payment",
    title_zh: "支付机构拒绝了该笔支付",
    hint: "Nothing was paid. Try another way to pay. Administrators can see the reason.",
    hint_zh: "未发生扣款；请换一种支付方式重试，管理员可查看原因。",
  },
  refund_exceeds_order: {
    status: 422,
    title: "The refund exceeds what is left of the order",
    title_zh: "退款超出订单可退数量",
    hint: "Read the order and request only units that are not refunded yet.",
    hint_zh: "请读取订单，只申请尚未退款的件数。",
  },
  level_unknown: {
    status: 422,
    title: "There is no active level of this grade",
    title_zh: "该级别不存在或未启用",
    hint: "Choose one of the active grades.",
    hint_zh: "请选择一个已启用的级别。",
  },
  levels_invalid: {
    status: 422,
    title: "The level settings are not valid",
    title_zh: "等级设置无效",
    hint: "Correct the error in detail and send all levels again.",
    hint_zh: "请按 detail 的说明修正，并重新提交全部等级。",
  },
  plan_invalid: {
    status: 422,
    title: "The commission plan is not valid",
    title_zh: "佣金方案无效",
    hint: "Correct the error in detail and send the plan again.",
    hint_zh: "请按 detail 的说明修正，并重新提交方案。",
  },
  simulation_too_large: {
    status: 422,
    title: "The period has too many orders to simulate",
    title_zh: "模拟时段内订单过多",
    hint: "Choose a shorter period.",
    hint_zh: "请选择较短的时段。",
  },
  sign_in_too_often: {
    status: 429,
    title: "Too many sign-ins",
    title_zh: "登录过于频繁",
    hint: "Get a new code from WeChat and retry after the time in Retry-After.",
    hint_zh: "请在 Retry-After 指定的时间后，重新获取微信 code 再试。",
    retry_after: 60,
  },
  internal_error: {
    status: 500,
    title: "Something went wrong on our side",
    title_zh: "服务器内部错误",
    hint: "Try again. If the error persists, report the request_id.",
    hint_zh: "请重试；若仍然失败，请反馈 request_id。",
  },
  schedule_unavailable: {
    status: 503,
    title: "There is no scheduler in this database",
    title_zh: "数据库未安装定时任务组件（pg_cron）",
    hint: "Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()",
    hint_zh: "请启用 pg_cron 扩展，然后以商城的数据库所有者身份执行：select app.apply_schedule()",
    retry_after: 60,
  },
  auth_unavailable: {
    status: 503,
    title: "Sign-in cannot be checked at the moment",
    title_zh: "暂时无法验证登录状态",
    hint: "Retry after the time in Retry-After.",
    hint_zh: "请在 Retry-After 指定的时间后重试。",
    retry_after: 5,
  },
  wechat_unavailable: {
    status: 503,
    title: "WeChat is not available at the moment",
    title_zh: "微信服务暂时不可用",
    hint: "Get a new code from WeChat and retry after the time in Retry-After.",
    hint_zh: "请在 Retry-After 指定的时间后，重新获取微信 code 再试。",
    retry_after: 5,
  },
  provider_unavailable: {
    status: 503,
    title: "The payment provider does not answer at the moment",
    title_zh: "支付机构暂时无响应",
    hint: "Send the same request again after the time in Retry-After. It continues the same payment.",
    hint_zh: "请在 Retry-After 指定的时间后重新发送相同的请求，将继续同一笔支付。",
    retry_after: 3,
  },
  database_unavailable: {
    status: 503,
    title: "The service is not available at the moment",
    title_zh: "服务暂时不可用",
    hint: "Retry after the time in Retry-After. Check first whether a write took effect.",
    hint_zh: "请在 Retry-After 指定的时间后重试；写操作请先确认是否已生效。",
    retry_after: 5,
  },
  database_busy: {
    status: 503,
    title: "The service is too busy at the moment",
    title_zh: "服务繁忙",
    hint: "Nothing was changed. Retry after the time in Retry-After.",
    hint_zh: "未作任何更改；请在 Retry-After 指定的时间后重试。",
    retry_after: 1,
  },
  storage_full: {
    status: 503,
    title: "The service cannot save anything at the moment",
    title_zh: "服务暂时无法保存数据",
    hint: "Nothing was changed. Reads still work. Retry after the time in Retry-After.",
    hint_zh: "未作任何更改，查询不受影响；请在 Retry-After 指定的时间后重试。",
    retry_after: 120,
  },
  database_timeout: {
    status: 503,
    title: "The request took too long",
    title_zh: "请求处理超时",
    hint: "Retry after the time in Retry-After. Check first whether a write took effect.",
    hint_zh: "请在 Retry-After 指定的时间后重试；写操作请先确认是否已生效。",
    retry_after: 5,
  },
} as const satisfies Record<string, ErrorEntry>;

/** The stable code of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** Whether a text, such as the message of a database error, is one of our codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** The definition of a code, typed so that its optional fields are visible to the type checker. */
export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code];
}
