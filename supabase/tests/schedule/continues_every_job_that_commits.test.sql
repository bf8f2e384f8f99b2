begin;
\ir ../support/fixture.psql
select plan(3);

-- With the source of the procedures that a job calls.
create temporary table committing as
select j.name, concat(p.prosrc, (
  select string_agg(q.prosrc, '') from pg_proc as q
  where q.pronamespace = p.pronamespace and q.prokind = 'p'
    and position(format('call app.%s(', q.proname) in p.prosrc) > 0
)) as prosrc
from app.scheduled_jobs as j
join pg_proc as p on p.pronamespace = 'app'::regnamespace and p.prokind = 'p'
  and j.command like format('call app.%s(%%', p.proname)
where j.name <> 'continue_unfinished_runs';

select set_eq(
  'select name from committing',
  $$ select m[1] from pg_proc as p cross join regexp_matches(p.prosrc, 'when ''(\w+)'' then call', 'g') as m
  where p.oid = 'app.continue_unfinished_runs'::regproc $$,
  'continue_unfinished_runs calls every job that commits'
);
select is_empty(
  $$ select c.name from committing as c
     where position(format('app.begin_run(%L', c.name) in c.prosrc) = 0 or c.prosrc !~ 'app\.end_batch\('
       or c.prosrc !~ 'app\.end_run\(' $$,
  'every job that commits records its runs under its own name'
);
select set_eq(
  $$ select j.name from app.scheduled_jobs as j
  where j.command not like 'call %' $$,
  array['call_worker', 'forget_staged_rows', 'purge_unconfirmed_accounts', 'apply_schedule', 'check_manifest',
  'check_settings', 'write_notices', 'remove_unused_pictures', 'end_long_reports'],
  'only jobs that take milliseconds are one statement'
);

select * from finish();
rollback;
