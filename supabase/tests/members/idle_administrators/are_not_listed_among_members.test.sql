begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table who as select pg_temp.sign_up() as owner, pg_temp.sign_up() as idle, pg_temp.sign_up() as above,
  null::bigint as below, pg_temp.sign_up() as member;
update who set below = pg_temp.sign_up(above::text);
create function pg_temp.promote(p_uid bigint) returns uuid language sql as $$
  select app.add_administrator((select u.auth_id::text from app.users as u where u.uid = p_uid), '{owner}', 'Wang Li')
$$;
create function pg_temp.users(p_args jsonb default '{}') returns jsonb language plpgsql as $$
begin
  return pg_temp.call(
    (select u.auth_id from app.users as u join who as w on u.uid = w.owner), 'admin_get_users',
    p_args || '{"p_limit": 100}'
  )::jsonb;
end
$$;
create function pg_temp.is_listed(p_uid bigint, p_args jsonb default '{}') returns boolean language sql as $$
  select exists (
    select from jsonb_array_elements(pg_temp.users(p_args) -> 'list') as m where (m ->> 'uid')::bigint = p_uid
  )
$$;

select pg_temp.promote(owner) from who;
create temporary table before as select (pg_temp.users() ->> 'count')::integer as members;
select is(pg_temp.is_listed(idle), true, 'a member is listed') from who;
select is(pg_temp.is_listed(owner), false, 'an administrator who takes no part in the store is not') from who;
select pg_temp.promote(idle) from who;
select is(pg_temp.is_listed(idle), false, 'a member who becomes an administrator is not listed any more') from who;
select is((pg_temp.users() ->> 'count')::integer, members - 1, 'nor counted') from before;
select is(pg_temp.is_listed(idle, jsonb_build_object('p_search', idle::text)), false, 'nor found by number') from who;

select pg_temp.promote(above) from who;
select is(pg_temp.is_listed(above), true, 'an administrator who has referred a member stays a member') from who;
select pg_temp.promote(below) from who;
select is(pg_temp.is_listed(below), true, 'and so does one who has a referrer, in whose team they are') from who;
select app.create_adjustment(idle, 5, null, null, 'A gift', null, now()) from who;
select is(pg_temp.is_listed(idle), true, 'and one who has a balance') from who;
select pg_temp.promote(member) from who;
select is(pg_temp.is_listed(member), false, 'another one') from who;
select app.remove_administrator(u.auth_id::text) from who as w join app.users as u on u.uid = w.member;
select is(pg_temp.is_listed(member), true, 'is a member again when they are an administrator no more') from who;

-- An account that npm run admin has created.
create temporary table made as select gen_random_uuid() as id;
insert into auth.users (id, email, role, email_confirmed_at, raw_user_meta_data) select id, id || '@example.com',
  'store_admin', now(), '{"nickname": "Wang Li"}'
from made;
select app.add_administrator(id::text) from made;
select is(
  (select count(*)::integer from app.users as u join made as m on m.id = u.auth_id), 0,
  'an account that was created as an administrator is no member'
);
select app.remove_administrator(id::text) from made;
select results_eq(
  'select u.nickname from app.users as u join made as m on m.id = u.auth_id join app.user_balances as b on b.uid = u.uid',
  $$ values ('Wang Li') $$, 'and becomes one when it is an administrator no more'
);
select is(app.add_administrator(id::text), id, 'it can become an administrator again') from made;

select * from finish();
rollback;
