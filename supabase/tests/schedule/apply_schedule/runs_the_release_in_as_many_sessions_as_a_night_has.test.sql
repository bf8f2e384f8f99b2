begin;
\ir ../../support/fixture.psql
select plan(10);

create function pg_temp.jobs() returns text language plpgsql as $$
begin
  return (
    select string_agg(j.jobname, ' ' order by j.jobname) from cron.job as j
    where j.jobname like 'fsgx_release_frozen_points%' and j.jobname not like '%:now' and j.schedule = '1 16 * * *'
      and j.command = 'call app.release_frozen_points()'
  );
end
$$;
create function pg_temp.found() returns text[] language sql as $$
  select array_agg(v.subject || ': ' || split_part(v.message, ',', 1) order by v.subject)
  from app.verify_schedule() as v
  where v.subject like 'fsgx_release%' and v.severity = 'error' and v.message like 'not %'
$$;

select to_regclass('cron.job') is not null as has_cron \gset
\if :has_cron
set client_min_messages = error;
-- No run that another test has left may keep the sessions.
delete from app.job_runs where job = 'fsgx_release_frozen_points';
select is(pg_temp.jobs(), 'fsgx_release_frozen_points', 'a new store has one');
select app.set_settings('{"night_sessions": 3}', now());
select is(
  pg_temp.jobs(), 'fsgx_release_frozen_points fsgx_release_frozen_points:2 fsgx_release_frozen_points:3',
  'three sessions are three jobs of pg_cron'
);
select is(
  (
    select count(*) from jsonb_array_elements(app.schedule_json(now()) -> 'list') as l
    where l ->> 'name' like 'fsgx_release%'
  ),
  1::bigint, 'administrators see one job'
);
select is(app.scheduler_state(now()), 'ok', 'pg_cron has all jobs');
select cron.unschedule('fsgx_release_frozen_points:2');
select is(app.scheduler_state(now()), 'not_scheduled', 'a missing session is noticed');
select is(pg_temp.found(), '{"fsgx_release_frozen_points:2: not scheduled"}', 'and found by the configuration check');
select app.apply_schedule();
select app.begin_run('fsgx_release_frozen_points', 250);
select app.set_settings('{"night_sessions": 1}', now());
select is(
  pg_temp.jobs(), 'fsgx_release_frozen_points fsgx_release_frozen_points:2 fsgx_release_frozen_points:3',
  'sessions are not ended while they run'
);
select app.end_run(max(id)) from app.job_runs;
select app.apply_schedule();
select is(pg_temp.jobs(), 'fsgx_release_frozen_points', 'but by the next hourly call');
select app.set_settings('{"night_sessions": 2}', now());
select app.set_schedule('fsgx_release_frozen_points', null, false, null, now());
select is(pg_temp.jobs(), null, 'a job that is switched off has none');
select app.set_settings('{"night_sessions": 1}', now());
select is(pg_temp.jobs(), null, 'whatever the setting is');
\else
select skip('pg_cron is not in this database', 10);
\endif

select * from finish();
rollback;
