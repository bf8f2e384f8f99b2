-- A migration of its own, because pg_cron may not notice jobs that are added in one transaction with much else.

-- sql/99_initial_state/schedule.sql
-- What runs on a schedule. pg_cron counts in UTC: 16:01 there is 00:01 of the next day in Asia/Shanghai.
-- A database without pg_cron (a clone made for a test: a cluster has it in one database only) gets no schedule.
do $$
begin
  if not exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    raise notice 'pg_cron is not installed in this database: nothing is scheduled';
    return;
  end if;
  perform cron.schedule('fsgx_release_frozen_points', '1 16 * * *', 'call app.release_frozen_points()');
  perform cron.schedule('settle_waiting_orders', '* * * * *', 'call app.drain_settlement_jobs()');
  perform cron.schedule('reconcile_bill', '30 16 * * *', 'select app.record_reconcile()');
  perform cron.schedule(
    'ensure_month_partitions', '30 15 * * *',
    'select app.ensure_month_partitions(current_date, (current_date + interval ''2 months'')::date)'
  );
  perform cron.schedule(
    'purge_cron_history', '15 15 * * *', 'delete from cron.job_run_details where end_time < now() - interval ''30 days'''
  );
end
$$;
