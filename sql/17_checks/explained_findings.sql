-- What to do about a finding of reconciliation, and which findings are explained.

create or replace function app.is_explained(p_check_name text, p_subject text, p_expected text, p_actual text)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.explained_findings as e
    where app.finding_digest(e.check_name, e.subject, e.expected, e.actual)
      = app.finding_digest(p_check_name, p_subject, p_expected, p_actual)
  )
$$;

comment on function app.is_explained is
  'Returns whether an administrator has explained a finding with exactly these figures.';

create or replace function app.finding_advice(p_check_name text, out advice text, out advice_zh text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select a.advice, a.advice_zh
  from (values
    (1, '{job_is_not_dead, job_is_not_late, paid_order_has_settlement_or_job}'::text[],
      'The order is not settled. Mend the cause that the finding names, then settle it again on its page.',
      '该订单尚未结算。请先解决所列原因，再在订单页重新结算。'),
    (1, '{outbox_row_has_not_failed, provider_refund_is_paid, provider_is_asked_for_the_refund, refunding_is_in_the_outbox,
      open_attempt_is_to_be_closed, open_transfer_is_in_the_outbox, outbox_has_open_transfers_only,
      withdrawal_to_wechat_has_a_transfer, transfer_was_requested_before_it_ended}',
      'Look the payment up at the provider first. Then retry the call on the page of calls to providers, or pay by other means.',
      '请先在支付平台核对该笔款项，再在渠道调用页重试，或改用其他方式付款。'),
    (1, '{release_day_is_finished, release_run_equals_log}',
      'Run the release again on the page of scheduled jobs. It makes up for days that are missing, and releases nothing twice.',
      '请在定时任务页再次运行积分释放。它会补齐缺少的日期，不会重复释放。'),
    (1, '{import_is_finished}', 'Continue the import with npm run import, or end it with --abandon.',
      '请用 npm run import 继续导入，或加 --abandon 结束。'),
    (1, '{no_row_is_from_the_future, job_is_not_from_the_future, release_day_has_come}',
      'A clock was ahead. Correct it; the finding ends when the time of the rows has come.',
      '曾有时钟超前。请校正时钟；到了相应时间后该差异会消失。'),
    (1, '{batch_is_in_the_sequence_of_payments}',
      'npm run reconcile -- --sequence lists what differs for each member, and --adjust corrects it.',
      '运行 npm run reconcile -- --sequence 可列出每位会员的差额，加 --adjust 可更正。'),
    (1, '{team_totals_equal_recount, team_totals_follow_members}',
      'No rule reads these totals. An operator can compute them anew (docs/operations.md, "Figures are wrong").',
      '任何规则都不使用这些合计。运维可重新计算（见 docs/operations.md 的“Figures are wrong”）。'),
    (1, '{events_tell_what_is_booked, every_day_has_its_events}',
      'The books hold; members, webhooks and other systems were told something else, or nothing. Tell them, and find out who can change the events.',
      '以账目为准；会员、Webhook 和其他系统收到的内容与账目不符，或没有收到。请告知相关方，并查明谁能改动事件。'),
    (1, '{decided_alone_has_every_decision, decided_alone_is_of_no_later_day, nobody_decides_more_than_their_limit}',
      'Somebody may have decided more than their limit. Look at their decisions of the day in the action log.',
      '可能有人超出了单人审批额度。请在操作日志中核对其当日的决定。'),
    (1, '{balance_equals_bill, balance_equals_last_bill_row, bill_row_follows_the_one_before, withdrawal_equals_its_bill_rows,
      fee_is_amount_times_rate, batch_equals_its_withdrawals, tax_equals_its_withholding, tax_is_taxable_times_rate}',
      'A row was changed by hand. Pay the member nothing until a backup or a sealed month says which figure is right; then correct the other by an adjustment.',
      '有数据被手工改动。在用备份或已封存的月份确认哪个数字正确之前，请勿向该会员付款；确认后用调账更正。'),
    (2, null,
      'A row was changed by hand, or only a part was restored. Compare it with a backup, and sealed months with npm run verify:seal. Correct money and points by adjustments only.',
      '有数据被手工改动，或只恢复了一部分。请与备份核对，已封存的月份用 npm run verify:seal 核对。金额与积分只用调账更正。')
  ) as a (rank, checks, advice, advice_zh)
  where p_check_name = any (a.checks) or a.rank = 2
  order by a.rank limit 1
$$;

comment on function app.finding_advice is 'Returns what to do about a finding, by its check, in both languages.';

grant execute on function app.finding_advice(text) to store_admin;
