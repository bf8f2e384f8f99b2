begin;
\ir ../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table who as select u.auth_id from app.users as u, m where u.uid = m.a;
create function pg_temp.flag() returns text language sql as $$
  select pg_temp.attempt('store_api', format($q$ select app.as_caller('{"role": "store_admin", "sub": "%s"}', 'set_no_assess', '{"p_uid": %s, "p_no_assess": true}') ->> 'no_assess' $q$, auth_id, a)) from who, m
$$;
grant store_api to postgres;
select is(pg_temp.flag(), 'PT403 forbidden', 'a token of an administrator is not enough');
update auth.users set role = 'store_admin' where id = (select auth_id from who);
select is(pg_temp.flag(), 'true', 'the account must be one now');
select is((select changed_by from app.no_assess_changes as c, m where c.uid = m.a), (select auth_id from who), 'the change names who made it');

select * from finish();
rollback;
