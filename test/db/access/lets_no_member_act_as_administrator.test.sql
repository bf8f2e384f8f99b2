begin;
\ir ../support/fixture.psql
select plan(2);

grant store_api to postgres;
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table who as select u.auth_id from app.users as u join m on m.uid = u.uid;
-- Every function that is for administrators only, reads as well as writes, called with nothing but nulls.
create temporary table answers as
select p.proname::text as name, pg_temp.call(w.auth_id, p.proname, (select coalesce(jsonb_object_agg(a.name, null), '{}') from unnest(p.proargnames) as a (name))) as answer
from who as w, pg_proc as p
where p.pronamespace = 'api'::regnamespace
  and has_function_privilege('store_admin', p.oid, 'execute') and not has_function_privilege('authenticated', p.oid, 'execute');
select cmp_ok((select count(*) from answers), '>=', 50::bigint, 'all of them are asked');
select is_empty($$ select name, answer from answers where answer is distinct from 'PT403 forbidden' $$,
  'none does or tells anything for an account that is no administrator, whatever its token says');

select * from finish();
rollback;
