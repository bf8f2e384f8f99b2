-- The settings that administrators change, each one row: its bounds, its name and what it does. The constraints of
-- app.settings, the check of a change, the schema of the route, the form of the console and docs/settings.md come from
-- here.

create or replace function app.declared_settings()
returns table (
  name text, section text, kind text, minimum numeric, maximum numeric, decimals integer, longest integer,
  choices text[], removable boolean, no_less_than text,
  personal boolean, title text, title_zh text, hint text, hint_zh text
)
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  values
    ('site_name', 'store', 'line', null::numeric, null::numeric, null::integer, 100, null::text[], false, null::text,
      false,
      'Store name', '商城名称',
      'What members see as the name of the store, on its pages and posters.',
      '会员在商城页面和海报上看到的名称。'),
    ('logo', 'store', 'web_address', null, null, null, 1000, null, true, null, false,
      'Logo', '商城 Logo',
      'The URL of a picture that members see beside the store name.',
      '图片网址，显示在会员看到的商城名称旁。'),
    ('colour', 'store', 'colour', null, null, null, null, null, false, null, false,
      'Main colour', '主题色',
      'The colour of buttons and headers in the H5 app. Shades that are hard to read are adjusted automatically.',
      'H5 商城中按钮和页头的颜色；对比度不足的色调会自动调整。'),
    ('poster_design', 'store', 'choice', null, null, null, null, '{warm, light, dark}', false, null, false,
      'Design of posters', '海报样式',
      'A product can have a design of its own.',
      '商品可以单独选择样式。'),
    ('contact_phone', 'store', 'phone', null, null, null, null, null, true, null, false,
      'Contact: phone', '客服电话',
      'Members can call it from the H5 app.',
      '会员可在 H5 商城中直接拨打。'),
    ('contact_wechat', 'store', 'line', null, null, null, 64, null, true, null, false,
      'Contact: WeChat ID', '客服微信号',
      'Members copy it and add you in WeChat.',
      '会员复制后在微信中添加。'),
    ('contact_hours', 'store', 'line', null, null, null, 100, null, true, null, false,
      'Contact: hours', '服务时间',
      'When somebody answers, as members read it, for example 9:00 to 18:00.',
      '展示给会员，例如 9:00 至 18:00。'),
    ('time_zone', 'store', 'zone', null, null, null, 64, null, false, null, false,
      'Time zone', '时区',
      'The time zone of business days and of the schedule, for example Asia/Shanghai.',
      '营业日和定时任务所用的时区，例如 Asia/Shanghai。'),
    ('h5_share_url', 'store', 'share_address', null, null, null, 500, null, false, null, false,
      'Share link URL', '分享链接地址',
      'The page that share links open, without # and what follows it. The store appends ?spread= and the member number.',
      '分享链接打开的页面，不含 # 及其后面的部分。末尾会自动加上 ?spread= 和会员编号。'),
    ('avatar_origins', 'store', 'origins', null, null, null, 20, null, false, null, false,
      'Sites of pictures of members', '会员头像来源',
      'Members can have pictures of these sites, of the project and of the page of the share link. All others are hidden, since whoever serves a picture learns who looks at it. Write each as https://example.com.',
      '会员头像只能来自这些网站，以及本项目和分享链接所在的网站；其他头像不再显示，因为提供图片的网站能知道谁看过它。格式如 https://example.com。'),
    ('refused_words', 'store', 'words', null, null, null, 500, null, false, null, false,
      'Words that members cannot use', '会员禁用词',
      'Nicknames, refund reasons and remarks on orders that contain one of them are refused. Case, full or half width and blanks between letters do not matter. Texts from before stay.',
      '会员的昵称、退款原因和订单备注中含有这些词时不予保存；不区分大小写、全角半角，也忽略字间空格。已有内容不受影响。'),
    ('person_request_days', 'store', 'integer', 1, 90, 0, null, null, false, null, false,
      'Requests of persons are answered within (days)', '个人信息请求处理期限（天）',
      'Counted from the receipt of a request for a copy, a correction or the deletion of personal data. Requests from before keep their day.',
      '从收到获取副本、更正或删除个人信息的请求时起算。此前收到的请求保留原期限。'),
    ('max_unpaid_orders', 'orders', 'integer', 1, 1000, 0, null, null, false, null, false,
      'Unpaid order limit', '未付款订单上限',
      'A member with this many unpaid orders must pay or cancel one before they can place another.',
      '达到上限的会员须先付款或取消一笔，才能再次下单。'),
    ('max_unpaid_units', 'orders', 'integer', 1, 1000000, 0, null, null, false, null, false,
      'Unpaid units of a member', '会员未付款件数上限',
      'How many units of goods with a limited stock the unpaid orders of a member can hold. Goods without a limit do not count.',
      '会员的未付款订单最多可占用的限量库存商品件数，不限库存的商品不计入。'),
    ('max_unpaid_share', 'orders', 'number', 0, 1, 5, null, null, false, null, false,
      'Unpaid share of a stock', '会员未付款占用库存比例',
      'Which share of the stock of a product the unpaid orders of a member can hold: 0.1 is a tenth, 1 is all. One unit is always possible.',
      '会员的未付款订单最多可占用某商品库存的比例：0.1 为十分之一，1 为全部。至少可占用一件。'),
    ('first_order_minutes', 'orders', 'integer', 5, 129600, 0, null, null, false, null, false,
      'Minutes to pay a first order', '首单付款分钟数',
      'An unpaid order that holds a limited stock expires after this time if its buyer has never paid an order.',
      '从未付过款的会员，其占用限量库存的未付款订单超过此时间后自动关闭。'),
    ('payment_minutes', 'orders', 'integer', 5, 1440, 0, null, null, false, null, false,
      'Time to pay (minutes)', '支付有效时间（分钟）',
      'After a payment is started at a provider, the buyer must complete it within this time.',
      '在支付机构发起的支付须在此时间内完成。'),
    ('payment_query_minutes', 'orders', 'minutes', 1, 1440, 0, 10, null, false, null, false,
      'Look up payments after (minutes)', '支付结果查询时间（分钟）',
      'If a payment''s notification is lost, the store finds the payment at one of these times after its start. Without any, it is looked up only when the time to pay has passed.',
      '支付通知丢失时，商城在发起支付后的这些时间向支付机构查询结果；未设置时只在支付有效时间结束后查询。'),
    ('order_expiry_minutes', 'orders', 'integer', 5, 10080, 0, null, null, false, null, false,
      'Unpaid orders expire after (minutes)', '未付款订单关闭时间（分钟）',
      'Counted from the end of the last payment. Without a payment, and if members cannot pay offline, counted from the order.',
      '从最后一次支付结束时起算；未发起过支付且不可线下付款时，从下单时起算。'),
    ('offline_payment', 'orders', 'switch', null, null, null, null, null, false, null, false,
      'Members can pay offline', '会员可线下付款',
      'Orders for which no payment was started are then kept for longer.',
      '开启后，从未发起支付的订单保留更长时间。'),
    ('offline_payment_days', 'orders', 'integer', 1, 90, 0, null, null, false, null, false,
      'Orders to be paid offline expire after (days)', '线下付款订单关闭时间（天）',
      'Counted from the order, if no payment was started.',
      '适用于未发起过支付的订单，从下单时起算。'),
    ('receipt_days', 'orders', 'integer', 1, 90, 0, null, null, false, null, false,
      'Receipt is confirmed automatically after (days)', '自动确认收货时间（天）',
      'Counted from the shipment. Receipt is not confirmed while a refund request is open.',
      '从发货时起算，退款申请处理期间不会自动确认。'),
    ('refund_window_days', 'orders', 'integer', 0, 3650, 0, null, null, false, null, false,
      'Refund window (days)', '退款期限（天）',
      'Counted from the receipt. Administrators may refund later, too.',
      '从收货时起算；期限过后，管理员仍可退款。'),
    ('return_address', 'orders', 'postal', null, null, null, null, null, true, null, true,
      'Return address', '退货地址',
      'Where buyers send goods back. A buyer sees it when you ask for the goods of a refund request; requests that were answered before keep theirs.',
      '买家寄回商品的地址。要求买家寄回商品时，买家可以看到；此前已答复的申请保留原地址。'),
    ('points_rate', 'points', 'number', 0.01, 999999.99, 2, null, null, false, null, false,
      'Points that pay 1.00', '抵扣 1 元所需积分',
      'How many points a member gives for 1.00 at checkout. Orders that are placed keep their rate.',
      '会员下单时，抵扣 1.00 元所用的积分数。已提交的订单不受影响。'),
    ('points_max_share', 'points', 'percent', 0, 0.99999, 5, null, null, false, null, false,
      'Largest share of the price that points can pay', '积分抵扣上限',
      'Points pay neither for queue goods nor for freight. 0 % switches payment by points off. The whole price can never be paid by points.',
      '积分抵扣占商品金额的最高比例，报单商品和运费不可抵扣；0 % 表示关闭积分抵扣。不能全额抵扣。'),
    ('withdrawal_methods', 'withdrawals', 'choices', null, null, null, null, '{bank, alipay, wechat}', false, null,
      false,
      'Ways to withdraw', '提现方式',
      'Without any, members cannot withdraw.',
      '全部不选则会员不能提现。'),
    ('withdrawal_minimum', 'withdrawals', 'amount', 0.01, 1000000, 2, null, null, false, null, false,
      'Smallest withdrawal', '最低提现金额',
      'Members cannot request less at once.',
      '会员单次提现不得低于此金额。'),
    ('withdrawal_maximum', 'withdrawals', 'amount', 0.01, 999999999999.99, 2, null, null, true, 'withdrawal_minimum',
      false,
      'Largest withdrawal', '最高提现金额',
      'Members cannot request more at once. Without an amount, there is no limit.',
      '会员单次提现不得高于此金额。未设置时不限。'),
    ('withdrawal_fee_rate', 'withdrawals', 'number', 0, 0.99999, 5, null, null, false, null, false,
      'Withdrawal fee rate', '提现手续费率',
      'The share of a withdrawal that the store keeps, such as 0.006. Requests that were made before keep their fee.',
      '商城从提现金额中收取的比例，例如 0.006；已提交的申请保持原手续费。'),
    ('transfer_minimum', 'withdrawals', 'amount', 0.01, 1000000, 2, null, null, false, null, false,
      'Smallest transfer to WeChat', '微信单笔最低转账金额',
      'WeChat transfers no smaller amount: a withdrawal less its fee.',
      '微信不支持低于此金额的转账（提现金额减去手续费）。'),
    ('transfer_maximum', 'withdrawals', 'amount', 0.01, 999999999999.99, 2, null, null, true, 'transfer_minimum', false,
      'Largest transfer to WeChat', '微信单笔最高转账金额',
      'The limit of your contract with WeChat for one transfer. Without an amount, only that of withdrawals holds.',
      '您与微信约定的单笔转账限额。未设置时以提现限额为准。'),
    ('transfer_name_from', 'withdrawals', 'amount', 0.3, 2000, 2, null, null, false, null, false,
      'WeChat needs a name from', '微信要求姓名的起始金额',
      'From this amount on, members state their full name. WeChat compares it with that of the account. It takes none below 0.30 and demands one from 2000.00 on.',
      '达到该金额时，会员须填写真实姓名，由微信与账户核对。微信规定低于 0.30 元不能填写，达到 2000.00 元必须填写。'),
    ('tax_method', 'withdrawals', 'choice', null, null, null, null, '{none, cumulative, per_month, per_payment}', false,
      null, false,
      'Tax of payouts', '提现代扣个税',
      'How income tax is withheld of a withdrawal when it is given to the bank or to WeChat. The store computes by this setting. Whether and how tax applies is your decision; have it confirmed by a tax adviser. Value-added tax and points are not computed. With tax on, a withdrawal is paid through a batch, which fixes its tax. A change applies to what is paid from then on.',
      '提现提交银行或微信付款时，按此方式代扣个人所得税。系统仅按设置计算；是否适用、如何适用由商城自行决定，请向税务顾问确认。增值税和积分不在计算之列。开启后，提现须加入批次付款，税额在加入批次时确定。修改后，仅影响此后付款的提现。'),
    ('tax_from', 'withdrawals', 'day', null, null, null, null, null, true, null, false,
      'Tax is withheld from', '开始代扣日期',
      'The first day on which tax is withheld. Before it, nothing is withheld, whatever the method. Without a day, tax is withheld from every day on.',
      '从该日起代扣；在此之前，无论何种方式均不代扣。未设置时不限日期。'),
    ('real_name_from', 'withdrawals', 'amount', 0.01, 1000000, 2, null, null, true, null, false,
      'Real name: from this amount on', '提现需要实名的起始金额',
      'From this amount on, a member gives name and number of a document before a withdrawal. They are encrypted with keys that the operator sets first. Without an amount, no real name is taken, and those that were given stay.',
      '达到该金额时，会员须先提交姓名和证件号码才能提现。信息加密保存，密钥须先由运维人员配置。未设置金额时不再收集，已提交的予以保留。'),
    ('real_name_check', 'withdrawals', 'choice', null, null, null, null, '{none, administrator, provider}', false, null,
      false,
      'Real name: who checks it', '实名核验方式',
      'Who must have checked a real name before it suffices for a withdrawal. The operator sets the address of the provider first. Administrators can check or refuse every real name.',
      '实名信息由谁核验后才能用于提现。选择服务商前，须先由运维人员配置其地址。管理员随时可以通过或退回任何实名信息。'),
    ('adjustment_limit_money', 'two_people', 'amount', 0, 100000000, 2, null, null, false, null, false,
      'Daily limit for adjustments of commission', '单人单日佣金调账限额',
      'How much one administrator adjusts alone on one day, in all. Above the limits, a second administrator must approve.',
      '一位管理员一天内可独自调账的合计金额；超过部分须由另一位管理员批准。'),
    ('adjustment_limit_points', 'two_people', 'number', 0, 100000000, 4, null, null, false, null, false,
      'Daily limit for adjustments of points', '单人单日积分调账限额',
      'How many points one administrator adjusts alone on one day, in all. Above it, a second administrator must approve.',
      '一位管理员一天内可独自调账的积分合计；超过部分须由另一位管理员批准。'),
    ('offline_payment_limit', 'two_people', 'amount', 0, 100000000, 2, null, null, false, null, false,
      'Daily limit for offline payments', '单人单日线下付款限额',
      'Orders of how much money one administrator marks as paid alone on one day. Above it, a second administrator must mark the order, too.',
      '一位管理员一天内可独自标记为已付款的订单合计金额；超过部分须由另一位管理员再次标记。'),
    ('withdrawal_limit', 'two_people', 'amount', 0, 100000000, 2, null, null, false, null, false,
      'Daily limit for the approval of withdrawals', '单人单日提现批准限额',
      'Withdrawals of how much money one administrator approves alone on one day. Above it, a second administrator must approve, too.',
      '一位管理员一天内可独自批准的提现合计金额；超过部分须由另一位管理员再次批准。'),
    ('second_factor_areas', 'second_factor', 'choices', null, null, null, null,
      '{records, content, orders, refunds, members, money, plan, system, administrators, keys}', false, null, false,
      'Areas that need a second factor', '需要第二重验证的范围',
      'Administrators prove it with a code from an app on their phone, which they set up in the menu of their account. Set up your own first: whoever changes this needs one. Whoever changes this has proved it, or signed in, within 15 minutes. With any area, the area administrators needs it, too. Nothing chosen: nobody needs one.',
      '管理员需用手机验证器应用中的验证码完成验证，可在右上角账号菜单中设置。请先为自己设置：更改此项也需要第二重验证，且须在 15 分钟内验证或登录；勾选任意一项，即自动包含管理员。不勾选则都不需要。'),
    ('orders_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Orders of a member per hour', '会员每小时下单上限',
      'A member who has placed this many must wait until the hour that began with the first is over. The same holds for the next four limits.',
      '从该会员第一次下单起计一小时，达到上限后须等这一小时结束；以下四项相同。'),
    ('cancellations_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Cancellations of a member per hour', '会员每小时取消次数上限',
      'Orders and withdrawals together. Orders that expire do not count.',
      '取消订单与取消提现合计；超时自动关闭的订单不计入。'),
    ('keys_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Changes of a member per hour', '会员每小时提交操作上限',
      'All requests of the app that change something, each counted once however often it is repeated.',
      '包括会员端所有提交修改的请求，重复提交的同一请求只计一次。'),
    ('profile_changes_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Profile changes of a member per hour', '会员每小时修改资料上限',
      'Changes of nickname and picture.',
      '指修改昵称和头像。'),
    ('posters_per_hour', 'quotas', 'integer', 1, 100000, 0, null, null, false, null, false,
      'Posters drawn for a member per hour', '会员每小时生成海报上限',
      'A poster is drawn again after its member, the store name or the share link has changed, and once every 30 days.',
      '会员资料、商城名称或分享链接变更后会重新生成海报，此外每 30 天生成一次。'),
    ('network_people', 'network', 'integer', 1, 1000000, 0, null, null, false, null, false,
      'Network shape: members below', '团队结构：伞下人数',
      'From how many members below, with members at the depth below, the page Network shape lists a member. It changes nothing that is paid.',
      '“团队结构”页面列出伞下达到此人数且达到下列层数的会员。只影响显示，不影响发放。'),
    ('network_depth', 'network', 'integer', 1, 1000, 0, null, null, false, null, false,
      'Network shape: depth', '团队结构：层数',
      'The depth of that list. The plan editor and the check say if a plan pays beyond it.',
      '上述列表的层数。方案的发放超过此层数时，方案编辑页和检查会予以说明。'),
    ('settlement_slots', 'operation', 'integer', 0, 16, 0, null, null, false, null, false,
      'Settlements at the same time', '同时进行的结算数',
      'At most one for each processor of the database. One of the requests that have paid settles for all. With 0, orders are settled every minute by the scheduled job.',
      '不应超过数据库的处理器数量。付款后由其中一个请求为所有等待的订单结算；0 表示仅由每分钟的定时任务结算。'),
    ('night_sessions', 'operation', 'integer', 1, 8, 0, null, null, false, null, false,
      'Sessions of a night', '夜间任务的会话数',
      'At most one for each processor of the database. Each releases the points of a range of members and reconciles a range. A change applies from the next night on.',
      '不应超过数据库的处理器数量。每个会话释放一段会员的积分，并核对一段数据。修改从下一晚起生效。'),
    ('assistants', 'reading', 'switch', null, null, null, null, null, false, null, false,
      'Assistants may read', '允许 AI 助手查询',
      'An assistant (a language model) then reads what the machine key that you give it allows, without names, phone numbers and addresses unless the key has that scope. It changes nothing, and the action log shows each call.',
      '开启后，AI 助手（大语言模型）可在所用机器密钥的权限内查询数据，不能进行更改；除非密钥有相应权限，姓名、手机号和地址一律不显示。每次查询都记入操作记录。'),
    ('analyst_minutes', 'reading', 'integer', 1, 120, 0, null, null, false, null, false,
      'Queries of analysts end after (minutes)', '分析查询时限（分钟）',
      'What an analyst reads with the login store_analyst is ended when it takes longer, so that it does not hold up the store.',
      '分析人员使用登录名 store_analyst 的查询超过此时间即被结束，以免影响商城运行。')
$$;

comment on function app.declared_settings is
  'Returns the settings in the order of the page. longest is the most characters of a text or entries of a list, '
  'no_less_than the setting that is its lower bound. The action log omits personal values.';

grant execute on function app.declared_settings() to store_admin;

-- Each setting has a constraint by its kind, and its hint as the comment of its column.
do $generate$
declare
  v_setting record;
  v_rule text;
begin
  for v_setting in select s.* from app.declared_settings() as s order by s.name loop
    v_rule := case v_setting.kind
      when 'line' then 'char_length(%1$I) <= %2$s and app.is_line(%1$I)'
      when 'web_address' then 'char_length(%1$I) <= %2$s and app.is_web_address(%1$I)'
      -- Stores from before 2.0.0 may have a fragment, which only app.setting_value refuses.
      when 'share_address' then 'app.is_web_address(%1$I)'
      when 'phone' then 'app.is_phone_number(%1$I)'
      when 'colour' then '%1$I ~ ''^#[0-9a-f]{6}$'''
      when 'choice' then '%1$I = any (%5$L::text[])'
      when 'choices' then '%1$I <@ %5$L::text[]'
      when 'postal' then 'app.is_address(%1$I)'
      when 'origins' then 'app.are_https_origins(%1$I) and cardinality(%1$I) <= %2$s'
      when 'words' then 'app.are_words(%1$I) and cardinality(%1$I) <= %2$s'
      when 'minutes'
        then 'cardinality(%1$I) <= %2$s and array_position(%1$I, null) is null and %3$s <= all (%1$I) and %4$s >= all (%1$I)'
      when 'integer' then '%1$I >= %3$s and %1$I <= %4$s'
      when 'number' then '%1$I >= %3$s and %1$I <= %4$s'
      when 'percent' then '%1$I >= %3$s and %1$I <= %4$s'
      when 'amount' then '%1$I >= %3$s and %1$I <= %4$s'
    end || case when v_setting.no_less_than is null then '' else ' and %1$I >= %6$I' end;
    if v_rule is not null then
      execute format('alter table app.settings add constraint %I check (%s)', v_setting.name || '_is_valid', format(
        v_rule, v_setting.name, v_setting.longest, v_setting.minimum, v_setting.maximum, v_setting.choices,
        coalesce(v_setting.no_less_than, 'id')
      ));
    end if;
    execute format(
      'comment on column app.settings.%I is %L', v_setting.name, v_setting.title || '. ' || v_setting.hint
    );
  end loop;
end
$generate$;
