export const settings = {
  title: "设置",
  groups: {
    store: "商城",
    orders: "订单与付款",
    points: "积分抵扣",
    withdrawals: "提现",
    two_people: "管理员单人限额",
    second_factor: "需要第二重验证的操作",
    quotas: "会员每小时操作上限",
    network: "团队结构",
    operation: "运行",
    reading: "外部查询",
  },
  postal: {
    name: "收件人",
    phone: "电话",
    region: "所在地区（从大到小，用空格分隔）",
    street: "详细地址",
    wrong: "请填写完整的退货地址，或四项全部留空。",
  },
  areas: {
    records: "查看会员、订单和资金的全部内容",
    content: "商品和文章",
    orders: "发货",
    refunds: "退款",
    members: "会员：等级和免考核标记",
    money: "资金：付款、提现、调账、导出",
    plan: "佣金方案和等级",
    system: "设置和定时任务",
    administrators: "管理员（只要勾选任意一项，即自动包含）",
    keys: "机器密钥：查看和吊销（新建和移交始终需要）",
  },
  taxMethods: {
    none: "不代扣",
    cumulative: "累计预扣：同一年度连续月份合并计算（2025 年第 16 号公告）",
    per_month: "按月：当月付款合并为一次（20 / 30 / 40 %）",
    per_payment: "按次：每笔付款单独计算（20 / 30 / 40 %）",
  },
  realNameChecks: {
    none: "不核验：格式正确即可",
    administrator: "由有资金权限的管理员核验",
    provider: "由服务商核验（后台自动请求）",
  },
  designs: { warm: "暖红", light: "浅绿", dark: "深色金字" },
  fields: {
    poster_design: {
      label: "海报样式",
      hint: "商品可以单独选择样式。",
    },
    site_name: {
      label: "商城名称",
      hint: "会员在商城页面和海报上看到的名称。",
    },
    logo: {
      label: "商城 Logo",
      hint: "图片网址，显示在会员看到的商城名称旁；留空表示不显示。",
    },
    colour: {
      label: "主题色",
      hint: "H5 商城中按钮和页头的颜色；对比度不足的色调会自动调整。",
    },
    contact_phone: {
      label: "客服电话",
      hint: "会员可在 H5 商城中直接拨打，留空表示没有。",
    },
    contact_wechat: {
      label: "客服微信号",
      hint: "会员复制后在微信中添加，留空表示没有。",
    },
    contact_hours: {
      label: "服务时间",
      hint: "展示给会员，例如 9:00 至 18:00，留空则不展示。",
    },
    time_zone: {
      label: "时区",
      hint: "营业日和定时任务所用的时区，例如 Asia/Shanghai。",
    },
    h5_share_url: {
      label: "分享链接地址",
      hint: "分享链接打开的页面，不含 # 及其后面的部分。末尾会自动加上 ?spread= 和会员编号。",
    },
    max_unpaid_orders: {
      label: "未付款订单上限",
      hint: "达到上限的会员须先付款或取消一笔，才能再次下单。",
    },
    max_unpaid_units: {
      label: "会员未付款件数上限",
      hint: "会员的未付款订单最多可占用的限量库存商品件数，不限库存的商品不计入。",
    },
    max_unpaid_share: {
      label: "会员未付款占用库存比例",
      hint: "会员的未付款订单最多可占用某商品库存的比例：0.1 为十分之一，1 为全部。至少可占用一件。",
    },
    first_order_minutes: {
      label: "首单付款分钟数",
      hint: "从未付过款的会员，其占用限量库存的未付款订单超过此时间后自动关闭。",
    },
    orders_per_hour: {
      label: "会员每小时下单上限",
      hint: "从该会员第一次下单起计一小时，达到上限后须等这一小时结束；以下四项相同。",
    },
    cancellations_per_hour: {
      label: "会员每小时取消次数上限",
      hint: "取消订单与取消提现合计；超时自动关闭的订单不计入。",
    },
    keys_per_hour: {
      label: "会员每小时提交操作上限",
      hint: "包括会员端所有提交修改的请求，重复提交的同一请求只计一次。",
    },
    profile_changes_per_hour: {
      label: "会员每小时修改资料上限",
      hint: "指修改昵称和头像。",
    },
    posters_per_hour: {
      label: "会员每小时生成海报上限",
      hint: "会员资料、商城名称或分享链接变更后会重新生成海报，此外每 30 天生成一次。",
    },
    payment_minutes: {
      label: "支付有效时间（分钟）",
      hint: "在支付机构发起的支付须在此时间内完成。",
    },
    payment_query_minutes: {
      label: "支付结果查询时间（分钟）",
      hint: "用逗号分隔，例如 1, 5, 10。支付通知丢失时，商城在发起支付后的这些时间向支付机构查询结果；留空表示只在支付有效时间结束后查询。",
    },
    order_expiry_minutes: {
      label: "未付款订单关闭时间（分钟）",
      hint: "从最后一次支付结束时起算；未发起过支付且不可线下付款时，从下单时起算。",
    },
    offline_payment: {
      label: "会员可线下付款",
      hint: "开启后，从未发起支付的订单保留更长时间。",
    },
    offline_payment_days: {
      label: "线下付款订单关闭时间（天）",
      hint: "适用于未发起过支付的订单，从下单时起算。",
    },
    receipt_days: {
      label: "自动确认收货时间（天）",
      hint: "从发货时起算，退款申请处理期间不会自动确认。",
    },
    refund_window_days: {
      label: "退款期限（天）",
      hint: "从收货时起算；期限过后，管理员仍可退款。",
    },
    return_address: {
      label: "退货地址",
      hint: "买家寄回商品的地址。要求买家寄回商品时，买家可以看到；此前已答复的申请保留原地址。四项全部留空表示不设置。",
    },
    second_factor_areas: {
      label: "需要第二重验证的范围",
      hint: "管理员需用手机验证器应用中的验证码完成验证，可在右上角账号菜单中设置。请先为自己设置：更改此项也需要第二重验证。不勾选则都不需要。",
    },
    network_people: {
      label: "伞下人数",
      hint: "“团队结构”页面列出伞下达到此人数且达到下列层数的会员。只影响显示，不影响发放。",
    },
    network_depth: {
      label: "层数",
      hint: "上述列表的层数。方案的发放超过此层数时，方案编辑页和检查会予以说明。",
    },
    person_request_days: {
      label: "个人信息请求处理期限（天）",
      hint: "从收到获取副本、更正或删除个人信息的请求时起算。此前收到的请求保留原期限。",
    },
    assistants: {
      label: "允许 AI 助手查询",
      hint: "开启后，AI 助手（大语言模型）可在所用机器密钥的权限内查询数据，不能进行更改；除非密钥有相应权限，姓名、手机号和地址一律不显示。每次查询都记入操作记录。",
    },
    analyst_minutes: {
      label: "分析查询时限（分钟）",
      hint: "分析人员使用登录名 store_analyst 的查询超过此时间即被结束，以免影响商城运行。",
    },
    settlement_slots: {
      label: "同时进行的结算数",
      hint: "不应超过数据库的处理器数量。付款后由其中一个请求为所有等待的订单结算；0 表示仅由每分钟的定时任务结算。",
    },
    night_sessions: {
      label: "夜间任务的会话数",
      hint: "不应超过数据库的处理器数量。每个会话释放一段会员的积分，并核对一段数据。修改从下一晚起生效。",
    },
    points_rate: {
      label: "抵扣 1 元所需积分",
      hint: "会员下单时，抵扣 1.00 元所用的积分数。已提交的订单不受影响。",
    },
    points_max_share: {
      label: "积分抵扣上限",
      hint: "积分抵扣占商品金额的最高比例，报单商品和运费不可抵扣；0 % 表示关闭积分抵扣。不能全额抵扣。",
    },
    adjustment_limit_money: {
      label: "单人单日佣金调账限额",
      hint: "一位管理员一天内可独自调账的合计金额；超过部分须由另一位管理员批准。",
    },
    adjustment_limit_points: {
      label: "单人单日积分调账限额",
      hint: "一位管理员一天内可独自调账的积分合计；超过部分须由另一位管理员批准。",
    },
    offline_payment_limit: {
      label: "单人单日线下付款限额",
      hint: "一位管理员一天内可独自标记为已付款的订单合计金额；超过部分须由另一位管理员再次标记。",
    },
    withdrawal_limit: {
      label: "单人单日提现批准限额",
      hint: "一位管理员一天内可独自批准的提现合计金额；超过部分须由另一位管理员再次批准。",
    },
    withdrawal_minimum: {
      label: "最低提现金额",
      hint: "会员单次提现不得低于此金额。",
    },
    withdrawal_maximum: {
      label: "最高提现金额",
      hint: "留空表示不限。",
    },
    withdrawal_fee_rate: {
      label: "提现手续费率",
      hint: "商城从提现金额中收取的比例，例如 0.006；已提交的申请保持原手续费。",
    },
    withdrawal_methods: {
      label: "提现方式",
      hint: "全部不选则会员不能提现。",
    },
    transfer_minimum: {
      label: "微信单笔最低转账金额",
      hint: "微信不支持低于此金额的转账（提现金额减去手续费）。",
    },
    transfer_maximum: {
      label: "微信单笔最高转账金额",
      hint: "您与微信约定的单笔转账限额；留空表示不限。",
    },
    transfer_name_from: {
      label: "微信要求姓名的起始金额",
      hint: "达到该金额时，会员须填写真实姓名，由微信与账户核对。微信规定低于 0.30 元不能填写，达到 2000.00 元必须填写。",
    },
    tax_method: {
      label: "提现代扣个税",
      hint: "提现提交银行或微信付款时，按此方式代扣个人所得税。系统仅按设置计算；是否适用、如何适用由商城自行决定，请向税务顾问确认。增值税和积分不在计算之列。开启后，提现须加入批次付款，税额在加入批次时确定。修改后，仅影响此后付款的提现。",
    },
    tax_from: {
      label: "开始代扣日期",
      hint: "从该日起代扣；在此之前，无论何种方式均不代扣。留空表示不限日期。",
    },
    real_name_from: {
      label: "提现需要实名的起始金额",
      hint: "达到该金额时，会员须先提交姓名和证件号码才能提现。信息加密保存，密钥须先由运维人员配置。留空表示关闭：不再收集，已提交的予以保留。",
    },
    real_name_check: {
      label: "实名核验方式",
      hint: "实名信息由谁核验后才能用于提现。选择服务商前，须先由运维人员配置其地址。管理员随时可以通过或退回任何实名信息。",
    },
    avatar_origins: {
      label: "会员头像来源",
      hint: "会员头像只能来自这些网站，以及本项目和分享链接所在的网站；其他头像不再显示，因为提供图片的网站能知道谁看过它。格式如 https://example.com。",
    },
    refused_words: {
      label: "会员禁用词",
      hint: "会员的昵称、退款原因和订单备注中含有这些词时不予保存；不区分大小写、全角半角，也忽略字间空格。已有内容不受影响。",
    },
  },
  between: "{{minimum}} 至 {{maximum}}。",
  below: "不小于 {{minimum}}，小于 {{maximum}}。",
  preset: "默认值：{{value}}。",
  changedLast: "最近修改",
  none: "无",
  avatarOriginsWrong: "每个网站的格式为 https://example.com，不含路径，最多 20 个。",
  system: "系统",
  facts: {
    version: "版本",
    api_version: "API 版本",
    commit: "代码版本",
    runtime: "运行环境",
    database_version: "数据库版本",
    migration: "最近的迁移",
    last_release: "最近一次释放",
    waiting_jobs: "等待中的结算任务",
    dead_jobs: "失败的结算任务",
  },
};
