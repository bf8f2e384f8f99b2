begin;
\ir ../support/fixture.psql
select plan(2);

grant store_api to postgres;
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table who as select u.auth_id from app.users as u join m on m.uid = u.uid;
-- Calls every function for administrators, including reads, with null arguments.
create temporary table results as
select p.proname::text as name,
  pg_temp.call(
    w.auth_id, p.proname, (select coalesce(jsonb_object_agg(a.name, null), '{}') from unnest(p.proargnames) as a (name))
  ) as result
from who as w, pg_proc as p
where p.pronamespace = 'api'::regnamespace
  and has_function_privilege('store_admin', p.oid, 'execute')
  and not has_function_privilege('authenticated', p.oid, 'execute');
select cmp_ok((select count(*) from results), '>=', 50::bigint, 'at least 50 functions for administrators are called');
select is_empty($$ select name, result from results where result is distinct from 'PT403 forbidden' $$,
  'all are rejected for an account that is not an administrator, whatever its token says');

select * from finish();
rollback;
