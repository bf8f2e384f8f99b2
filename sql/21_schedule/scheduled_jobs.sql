-- The scheduled jobs, and pg_cron where the store may create it.

-- On a hosted project the owner of the store may create pg_cron. Where that fails, the configuration check says what to
-- do.
do $$
begin
  if to_regclass('cron.job') is null and exists (select from pg_available_extensions as e where e.name = 'pg_cron') then
    create extension if not exists pg_cron;
  end if;
exception when others then
  raise warning 'The extension pg_cron could not be created: %', sqlerrm;
end
$$;

-- The scheduled jobs with their presets, in the time zone of the store. Lists show them in this order. A store compacts
-- sealed months only once an administrator has switched that job on.
-- Row order: that of the list, which Postgres reads from its beginning.
insert into app.scheduled_jobs (name, title, title_zh, command, schedule, preset, is_active)
select j.name, j.title, j.title_zh, j.command, j.preset, j.preset, j.name <> 'compact_due_months'
from (values
  (
    'fsgx_release_frozen_points', 'Daily release of frozen points', '每日释放冻结积分', 'call app.release_frozen_points()',
    '1 0 * * *'
  ),
  (
    'settle_waiting_orders', 'Settlement of waiting orders', '结算等待中的订单', 'call app.drain_settlement_jobs()', '* * * * *'
  ),
  ('expire_orders', 'Expiry of unpaid orders', '关闭超时未付款订单', 'call app.expire_orders()', '* * * * *'),
  (
    'receive_delivered_orders', 'Automatic receipt of shipped orders', '到期自动确认收货',
    'call app.receive_delivered_orders()', '*/10 * * * *'
  ),
  ('call_worker', 'Calls to payment providers', '处理对支付机构的请求', 'select app.call_worker()', '* * * * *'),
  ('write_due_events', 'Events that time causes', '写入到期事件', 'call app.write_due_events()', '* * * * *'),
  ('write_notices', 'Notices by email to administrators', '向管理员发送邮件提醒', 'select app.write_notices()', '* * * * *'),
  (
    'write_deliveries', 'Deliveries of events to webhooks', '向 Webhook 推送事件', 'call app.write_deliveries()', '* * * * *'
  ),
  ('tell_notices', 'Messages of notices to members', '向会员发送通知消息', 'call app.tell_notices()', '* * * * *'),
  ('sum_team_totals', 'Summation of team totals', '汇总团队数据', 'call app.sum_team_totals()', '* * * * *'),
  ('reconcile_bill', 'Nightly reconciliation', '每日夜间对账', 'call app.record_reconcile()', '30 0 * * *'),
  ('sum_days', 'Sums of the days for reports', '汇总每日报表数据', 'call app.sum_days()', '50 1 * * *'),
  (
    'continue_unfinished_runs', 'Continuation of runs that were cut', '继续被中断的运行', 'call app.continue_unfinished_runs()',
    '*/5 * * * *'
  ),
  ('ensure_month_partitions', 'Creation of monthly partitions', '创建后续月份分区',
    'call app.ensure_month_partitions(current_date, (current_date + interval ''2 months'')::date)', '30 23 * * *'),
  (
    'apply_schedule', 'Time zone adjustment of the schedule', '按商城时区校准运行计划', 'select app.apply_schedule()', '20 * * * *'
  ),
  (
    'forget_idempotency_keys', 'Cleanup of expired idempotency keys', '清理过期的幂等键', 'call app.forget_idempotency_keys()',
    '40 * * * *'
  ),
  ('forget_staged_rows', 'Cleanup of stopped imports', '清理中断导入的暂存数据', 'select app.forget_staged_rows()', '50 * * * *'),
  (
    'purge_unconfirmed_accounts', 'Cleanup of accounts that nobody has confirmed', '清理未验证的账号',
    'select app.purge_unconfirmed_accounts()', '10 * * * *'
  ),
  (
    'check_manifest', 'Comparison of the database with the manifest', '核对数据库结构与权限', 'select app.check_manifest()',
    '10 * * * *'
  ),
  (
    'check_settings', 'Configuration check without test orders', '检查配置（不含测试订单）', 'select app.check_settings()',
    '*/10 * * * *'
  ),
  (
    'end_long_reports', 'End of long queries of analysts', '结束分析人员的长时间查询', 'select app.end_long_reports(now())',
    '* * * * *'
  ),
  (
    'purge_old_records', 'Cleanup of old records that prove nothing', '清理无需留存的旧记录', 'call app.purge_old_records()',
    '20 2 * * *'
  ),
  (
    'remove_unused_pictures', 'Removal of pictures that nothing shows', '清理无人使用的图片',
    'select app.remove_unused_pictures()', '40 2 * * *'
  ),
  (
    'delete_due_accounts', 'Deletion of accounts whose members leave', '注销到期的账号', 'call app.delete_due_accounts()',
    '10 3 * * *'
  ),
  ('purge_cron_history', 'Cleanup of old run records', '清理过期的运行记录', 'call app.purge_cron_history()', '15 23 * * *'),
  (
    'compact_due_months', 'Compaction of releases of sealed months', '压缩已封存月份的释放记录', 'call app.compact_due_months()',
    '15 4 * * *'
  )
) as j (name, title, title_zh, command, preset)
on conflict do nothing;

select app.apply_schedule();
