begin;
\ir ../../support/fixture.psql
select plan(9);

-- No job of another session begins a run meanwhile.
lock table app.job_runs in share row exclusive mode;
delete from app.job_runs;
delete from app.clock;
-- A run that names this session, but no statement of it, counts as running; without a session, as dead.
create function pg_temp.run(
  p_job text, p_state text, p_day date default null, p_started_at timestamptz default now()
) returns void language sql as $$
  insert into app.job_runs (job, from_day, to_day, started_at, usual_batch, pid, cut_at, completed_at, ended_at)
  values (
    p_job, p_day, p_day, p_started_at, 50, case p_state when 'running' then pg_backend_pid() else 0 end,
    case when p_state in ('cut', 'completed') then now() end,
    case p_state when 'completed' then now() end, case p_state when 'ended' then now() end
  )
$$;
create view pg_temp.unfinished as select u.*
  from app.unfinished_runs() with ordinality as u (job, from_day, to_day, place);

select pg_temp.run('sum_team_totals', 'running');
select is_empty('select from pg_temp.unfinished', 'a run that goes on is not to be continued');
select pg_temp.run('settle_waiting_orders', s) from unnest('{ended, completed}'::text[]) as s;
select is_empty('select from pg_temp.unfinished', 'nor what has ended or was completed');
select pg_temp.run('settle_waiting_orders', 'cut') from generate_series(1, 2);
select results_eq(
  'select job from pg_temp.unfinished', array['settle_waiting_orders'],
  'a job that was cut is, once, while another job runs'
);
select pg_temp.run('settle_waiting_orders', 'dead');
select results_eq('select job from pg_temp.unfinished', array['settle_waiting_orders'], 'also if a later run has died');
select pg_temp.run('settle_waiting_orders', 'running');
select is_empty('select from pg_temp.unfinished', 'but not while a later run goes on');

delete from app.job_runs;
select pg_temp.run(r.job, 'cut', r.day, now() - r.ago) from (values
  ('expire_orders', null::date, interval '2 hours'), ('fsgx_release_frozen_points', '2026-03-01', '1 hour'),
    ('fsgx_release_frozen_points', '2026-02-01', '3 hours'), ('expire_orders', null, '4 hours')
) as r (job, day, ago);
select results_eq(
  'select job, from_day, to_day from pg_temp.unfinished order by place',
  $$ values ('fsgx_release_frozen_points', date '2026-02-01', date '2026-02-01'), ('expire_orders', null, null),
  ('fsgx_release_frozen_points', '2026-03-01', '2026-03-01') $$,
  'what was tried longest ago comes first, each with its days'
);
insert into app.clock (trusted_at) values (now() - interval '7 hours');
select results_eq(
  'select job from pg_temp.unfinished', array['expire_orders'], 'while the clock is doubtful, no day is released'
);
update app.clock set trusted_at = now();
update app.scheduled_jobs set is_active = false where name = 'fsgx_release_frozen_points';
select results_eq('select job from pg_temp.unfinished', array['expire_orders'], 'nor while the job is switched off');
update app.scheduled_jobs set is_active = true where name = 'fsgx_release_frozen_points';
select is((select count(*) from pg_temp.unfinished), 3::bigint, 'and all are continued afterwards');

select * from finish();
rollback;
