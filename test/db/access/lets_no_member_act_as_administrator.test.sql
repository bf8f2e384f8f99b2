begin;
\ir ../support/fixture.psql
select plan(2);

grant store_api to postgres;
create temporary table who as select pg_temp.sign_up() as uid;
create temporary table claims as select jsonb_build_object('role', 'store_admin', 'sub', u.auth_id) as claims from app.users as u join who on who.uid = u.uid;
-- Every function that is for administrators only and runs with the owner's rights, called with nothing but nulls.
create temporary table answers as
select p.proname::text as name, pg_temp.attempt('store_api', format('select app.as_caller(%L, %L, %L)', claims, p.proname,
  (select coalesce(jsonb_object_agg(a.name, null), '{}') from unnest(p.proargnames) as a (name)))) as answer
from claims, pg_proc as p
where p.pronamespace = 'api'::regnamespace and p.prosecdef
  and has_function_privilege('store_admin', p.oid, 'execute') and not has_function_privilege('authenticated', p.oid, 'execute');
select cmp_ok((select count(*) from answers), '>=', 15::bigint, 'all of them are asked');
select is_empty($$ select name, answer from answers where answer is distinct from 'PT403 forbidden' and name <> 'admin_get_system_metadata' $$,
  'none does anything for an account that is no administrator (the metadata are no secret of a member)');

select * from finish();
rollback;
