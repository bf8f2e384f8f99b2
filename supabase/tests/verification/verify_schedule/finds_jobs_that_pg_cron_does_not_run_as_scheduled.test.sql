begin;
\ir ../../support/fixture.psql
select plan(6);

create function pg_temp.found(p_name text) returns text language sql as $$ select format(
  '%s: %s | %s', v.severity, v.message, v.hint
)
  from app.verify_schedule() as v where v.subject = p_name $$;
create function pg_temp.change(
  p_job text, p_schedule text default null, p_command text default null, p_active boolean default null
) returns void language plpgsql as $$
begin
  execute 'select cron.alter_job(j.jobid, $2, $3, active := $4) from cron.job as j where j.jobname = $1' using p_job,
    p_schedule, p_command, p_active;
end
$$;

select to_regprocedure('cron.alter_job(bigint,text,text,text,text,boolean)') is not null as has_cron \gset
\if :has_cron
select is(
  (select pg_temp.found('call_worker') from pg_temp.change('call_worker', p_active => false)),
  'error: switched off | Run as the owner of the store: select app.apply_schedule()', 'a job that is inactive'
);
select
  is((select pg_temp.found('fsgx_release_frozen_points')
  from pg_temp.change('fsgx_release_frozen_points', '0 0 31 2 *')),
  'error: pg_cron has 0 0 31 2 * (UTC), the schedule of the store says 1 16 * * * | Run as the owner of the store: select app.apply_schedule()',
  'a job at other times');
select is((select pg_temp.found('expire_orders') from pg_temp.change('expire_orders', p_command => 'select 1')),
  'error: pg_cron runs another command: select 1 | Run as the owner of the store: select app.apply_schedule()',
  'a job with another command');
select is(
  (select pg_temp.found('settle_waiting_orders') from (select cron.unschedule('settle_waiting_orders')) as u),
  'error: not scheduled | Run as the owner of the store: select app.apply_schedule()', 'a job that is missing'
);

set client_min_messages = error;
select app.apply_schedule();
select is_empty(
  $$ select v.subject, v.message from app.verify_schedule() as v
  where v.hint like '%apply_schedule()' and v.message ~ '^(switched off|not scheduled|pg_cron )' $$,
  'the advice mends all of them'
);
select is((select j.active from cron.job as j where j.jobname = 'call_worker'), true, 'an inactive one, too');
\else
select skip('pg_cron is not in this database', 6);
\endif

select * from finish();
rollback;
