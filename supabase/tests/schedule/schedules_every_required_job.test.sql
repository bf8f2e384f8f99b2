begin;
\ir ../support/fixture.psql
select plan(2);

select case when to_regclass('cron.job') is null then skip('pg_cron is not in this database', 2) else collect_tap(
  set_eq('select jobname::text, schedule::text, command::text from cron.job where jobname !~ '':now$''', $$ values
    ('fsgx_release_frozen_points', '1 16 * * *', 'call app.release_frozen_points()'),
    ('settle_waiting_orders', '* * * * *', 'call app.drain_settlement_jobs()'),
    ('expire_orders', '* * * * *', 'call app.expire_orders()'),
    ('receive_delivered_orders', '*/10 * * * *', 'call app.receive_delivered_orders()'),
    ('call_worker', '* * * * *', 'select app.call_worker()'),
    ('write_due_events', '* * * * *', 'call app.write_due_events()'),
    ('write_notices', '* * * * *', 'select app.write_notices()'),
    ('write_deliveries', '* * * * *', 'call app.write_deliveries()'),
    ('tell_notices', '* * * * *', 'call app.tell_notices()'),
    ('sum_team_totals', '* * * * *', 'call app.sum_team_totals()'),
    ('reconcile_bill', '30 16 * * *', 'call app.record_reconcile()'),
    ('sum_days', '50 17 * * *', 'call app.sum_days()'),
    ('continue_unfinished_runs', '*/5 * * * *', 'call app.continue_unfinished_runs()'),
    (
      'ensure_month_partitions', '30 15 * * *',
      'call app.ensure_month_partitions(current_date, (current_date + interval ''2 months'')::date)'
    ),
    ('apply_schedule', '20 * * * *', 'select app.apply_schedule()'),
    ('forget_idempotency_keys', '40 * * * *', 'call app.forget_idempotency_keys()'),
    ('forget_staged_rows', '50 * * * *', 'select app.forget_staged_rows()'),
    ('purge_unconfirmed_accounts', '10 * * * *', 'select app.purge_unconfirmed_accounts()'),
    ('check_manifest', '10 * * * *', 'select app.check_manifest()'),
    ('check_settings', '*/10 * * * *', 'select app.check_settings()'),
    ('end_long_reports', '* * * * *', 'select app.end_long_reports(now())'),
    ('purge_old_records', '20 18 * * *', 'call app.purge_old_records()'),
    ('remove_unused_pictures', '40 18 * * *', 'select app.remove_unused_pictures()'),
    ('delete_due_accounts', '10 19 * * *', 'call app.delete_due_accounts()'),
    ('purge_cron_history', '15 15 * * *', 'call app.purge_cron_history()')
  $$, 'jobs, times (UTC) and commands'),
  is(
    (timestamptz '2026-11-20 16:01+00' at time zone (select time_zone from app.settings))::time, time '00:01',
    'the release runs at 00:01 of the business time zone'
  )
) end;

select * from finish();
rollback;
