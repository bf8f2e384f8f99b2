-- Health and metrics.

-- Reads small tables and indexes only, so that a scrape every few seconds costs little. Every metric is the value at
-- p_now. A metric that is not known yet, such as the age of a reconciliation that never ran, has no row.
create or replace function app.metrics(p_now timestamptz)
returns table (name text, help text, labels jsonb, value numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with jobs as (
    select * from app.settlement_job_state(p_now)
  ), outbox as (
    select
      count(*) filter (where o.state = 'waiting') as waiting, count(*) filter (where o.state = 'failed') as failed,
      min(o.run_after) filter (where o.state = 'waiting' and o.run_after <= p_now) as due_since
    from app.outbox as o
  ), released as (
    select max(r.release_date) filter (where r.finished_at is not null) as last_day,
      count(*) filter (where r.finished_at is null) as unfinished
    from app.release_runs as r
  ), reconciled as (
    select c.findings, c.finished_at from app.last_reconcile() as c
  )
  select 'store_settlement_jobs', 'Orders whose settlement is waiting, or dead: it failed for good.', s.labels, s.value
  from jobs as j
  cross join lateral (
    values ('{"state": "waiting"}'::jsonb, j.waiting), ('{"state": "dead"}', j.dead)
  ) as s (labels, value)
  union all
  select 'store_settlement_oldest_seconds', 'Age of the oldest settlement job that waits; 0 if none does.', '{}',
    coalesce(extract(epoch from p_now - j.waiting_since), 0)
  from jobs as j
  union all
  select 'store_import_unfinished_seconds',
    'Time since the import began that settlements wait for; 0 if none is unfinished.', '{}',
    coalesce(extract(epoch from p_now - j.import_since), 0)
  from jobs as j
  union all
  select 'store_outbox_rows', 'Calls to providers that are waiting, or failed for good and need an administrator.',
    s.labels, s.value
  from outbox as o
  cross join lateral (
    values ('{"state": "waiting"}'::jsonb, o.waiting), ('{"state": "failed"}', o.failed)
  ) as s (labels, value)
  union all
  select 'store_outbox_overdue_seconds', 'For how long the oldest call to a provider has been due; 0 if none is.', '{}',
    coalesce(extract(epoch from p_now - o.due_since), 0)
  from outbox as o
  union all
  select 'store_release_lag_days',
    'Business days since the newest finished release of points; 0 after the release of today.', '{}',
    app.business_day(p_now) - r.last_day
  from released as r where r.last_day is not null
  union all
  select 'store_release_unfinished_days', 'Business days whose release has begun and is not finished.', '{}',
    r.unfinished
  from released as r
  union all
  select 'store_reconcile_findings', 'Findings of the latest reconciliation.', '{}', r.findings from reconciled as r
  union all
  select 'store_reconcile_age_seconds', 'Time since the latest reconciliation.', '{}',
    extract(epoch from p_now - r.finished_at)
  from reconciled as r
  union all
  select 'store_manifest_differences',
    'Tables, triggers, policies, constraints, privileges and functions that are not as the migrations created them.',
    '{}', m.differences
  from app.manifest_checks as m
  union all
  select 'store_scheduler_ok', '1 if pg_cron or another scheduler runs the scheduled jobs, otherwise 0.', '{}',
    (app.scheduler_state(p_now) = 'ok')::integer
  union all
  select 'store_scheduled_job_late', '1 if an active scheduled job did not run when it was due, otherwise 0.',
    jsonb_build_object('job', s.name), (l.name is not null)::integer
  from app.scheduled_jobs as s left join app.late_jobs(p_now) as l on l.name = s.name
  where s.is_active
$$;

comment on function app.metrics is
  'Returns what a monitoring system watches at p_now: one row per metric and set of labels.';

-- In a JSON string, quotes, backslashes and line feeds are escaped as in the label values of Prometheus.
create or replace function app.metrics_text(p_now timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(g.lines, '' order by g.name)
  from (
    select m.name, format(E'# HELP %1$s %2$s\n# TYPE %1$s gauge\n', m.name, m.help)
      || string_agg(
        format(E'%s%s %s\n', m.name, '{' || l.pairs || '}', trim_scale(round(m.value, 3))), '' order by l.pairs
      ) as lines
    from app.metrics(p_now) as m
    cross join lateral (
      select string_agg(format('%s=%s', e.key, e.value), ',' order by e.key) as pairs from jsonb_each(m.labels) as e
    ) as l
    group by m.name, m.help
  ) as g
$$;

comment on function app.metrics_text is
  'Returns app.metrics in the text format of Prometheus (version 0.0.4). All metrics are gauges.';

create or replace function app.health_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.is_late or s.state <> 'ok' or c.state <> 'ok' or g.state = 'broken'
        or l.names <> '[]' then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.waiting_since), 'import_since',
    app.utc(j.import_since), 'scheduler', s.state, 'late_jobs', l.names,
    'clock', c.state, 'guarantees', g.state, 'webhooks', app.webhook_route(), 'schema_version', app.schema_version(),
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join app.scheduler_state(p_now) as s (state)
  cross join app.clock_state(p_now) as c (state)
  cross join (select coalesce(jsonb_agg(n.name order by n.name), '[]') as names from app.late_jobs(p_now) as n) as l
  cross join lateral (
    select coalesce(
      (select case when m.differences = 0 then 'ok' else 'broken' end from app.manifest_checks as m), 'unchecked'
    ) as state
  ) as g
$$;

comment on function app.health_json is
  'Returns the health of the background work at p_now. status is degraded if a settlement job is dead or late, a '
  'scheduled job is late, no scheduler runs, the clock may be wrong, or the database is not as installed.';
