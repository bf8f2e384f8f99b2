-- What administrators see first: figures by day.

create or replace function api.get_overview(p_days integer default 30)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_days jsonb;
  v_totals jsonb;
begin
  perform app.require_admin();
  if p_days is null or p_days not between 1 and 366 then
    perform app.fail('invalid_argument', 'days is between 1 and 366.');
  end if;
  select
    jsonb_agg(jsonb_build_object(
      'day', d.day, 'orders', d.orders, 'queue_orders', d.queue_orders, 'queue_revenue', d.queue_revenue::text,
      'commission', d.commission::text, 'payout_share', app.payout_share(d.commission, d.queue_revenue),
      'points_frozen', trim_scale(d.points_frozen), 'points_released', trim_scale(d.points_released)
    ) order by d.day),
    jsonb_build_object(
      'orders', sum(d.orders), 'queue_orders', sum(d.queue_orders), 'queue_revenue', sum(d.queue_revenue)::text,
      'commission', sum(d.commission)::text, 'payout_share',
      app.payout_share(sum(d.commission), sum(d.queue_revenue)),
      'points_frozen', trim_scale(sum(d.points_frozen)), 'points_released', trim_scale(sum(d.points_released))
    )
  into v_days, v_totals
  from app.overview_days(app.business_day(clock_timestamp()), p_days) as d;
  return jsonb_build_object(
    'days', v_days, 'totals', v_totals,
    'last_release', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1),
    'jobs', (
      select jsonb_build_object(
        'waiting', j.waiting, 'dead', j.dead, 'due_since', app.utc(j.waiting_since), 'is_late', j.is_late,
        'import_since', app.utc(j.import_since)
      )
      from app.settlement_job_state(clock_timestamp()) as j
    ),
    'scheduler', app.scheduler_state(clock_timestamp()), 'clock', app.clock_state(clock_timestamp()),
    'late_jobs', (select coalesce(jsonb_agg(l.name order by l.name), '[]') from app.late_jobs(clock_timestamp()) as l),
    'last_reconcile', (
      select jsonb_build_object(
        'started_at', app.utc(c.started_at), 'finished_at', app.utc(c.finished_at), 'findings', c.findings, 'cuts',
        c.cuts
      )
      from app.reconcile_runs as c order by c.id desc limit 1
    )
  );
end
$$;

comment on function api.get_overview is
  'Returns the sums of the last p_days business days, their totals, and the state of the background work. Serves '
  'GET /adminapi/overview.';

grant execute on function api.get_overview(integer) to store_admin;
