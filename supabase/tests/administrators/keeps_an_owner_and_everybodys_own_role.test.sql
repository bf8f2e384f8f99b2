-- Guarantee access/owners
begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(20);

delete from app.administrators;
create temporary table people as select pg_temp.administrator() as one;
alter table people add two uuid;
update people set two = pg_temp.administrator();
create function pg_temp.set(p_by uuid, p_id uuid, p_change jsonb) returns text language sql as $$
  select pg_temp.call_proved(p_by, 'set_administrator', jsonb_build_object('p_auth_id', p_id) || p_change)
$$;
create function pg_temp.roles(p_id uuid) returns text language sql as $$
  select array_to_string(a.roles, ' ') from app.administrators as a where a.auth_id = p_id
$$;

select is(
  pg_temp.set(one, one, '{"p_roles": ["finance"]}'), 'PT403 own_account', 'owners cannot give up their own role'
)
from people;
select is(
  pg_temp.call(one, 'remove_administrator', jsonb_build_object('p_auth_id', one)), 'PT403 own_account',
  'nor remove themselves'
)
from people;
select matches(
  pg_temp.set(one, one, '{"p_roles": ["content", "owner"], "p_name": "Li Lei"}'), 'Li Lei',
  'but take another role and name themselves'
)
from people;
select is(pg_temp.roles(one), 'owner content', 'the roles have one order') from people;
select is((select app.actor_json(one) ->> 'nickname' from people), 'Li Lei', 'their name is in every record');
select results_eq(
  $$ select c.from_value, c.to_value from app.admin_actions as c where c.function = 'set_administrator'
  order by c.id desc limit 1 $$,
  $$ values ('{"roles": ["owner"]}'::jsonb, '{"name": "changed", "roles": ["owner", "content"]}'::jsonb) $$,
  'the change is recorded, without the name'
);
select matches(pg_temp.set(one, one, '{"p_name": "Li Lei"}'), 'Li Lei', 'or only name themselves') from people;

select unalike(pg_temp.set(one, two, '{"p_roles": ["service"]}'), 'PT%', 'an owner changes the roles of another')
from people;
select is(pg_temp.roles(two), 'service', 'at once') from people;
select is(pg_temp.set(two, one, '{"p_roles": ["service"]}'), 'PT403 forbidden', 'who changes nobody any more')
from people;
select is(pg_temp.set(two, two, '{"p_name": "Me"}'), 'PT403 forbidden', 'not even themselves here') from people;
select unalike(pg_temp.call(two, 'set_own_name', '{"p_name": "Han Meimei"}'), 'PT%', 'but sets a name') from people;
select is((select app.actor_json(two) ->> 'nickname' from people), 'Han Meimei', 'under which they are seen');
select is(pg_temp.call(two, 'set_own_name', '{"p_name": "  "}'), 'PT422 invalid_argument', 'a blank name is none')
from people;
select is(pg_temp.set(one, two, '{"p_roles": []}'), 'PT422 invalid_argument', 'an administrator has a role')
from people;
select is(pg_temp.set(one, two, '{"p_roles": ["boss"]}'), 'PT422 invalid_argument', 'which exists') from people;
select is(
  pg_temp.set(one, gen_random_uuid(), '{"p_roles": ["service"]}'), 'PT404 administrator_not_found',
  'nobody else is changed'
)
from people;

select unalike(
  pg_temp.call(one, 'remove_administrator', jsonb_build_object('p_auth_id', two)), 'PT%', 'an owner removes another'
)
from people;
select is(pg_temp.call(two, 'get_own_roles'), 'PT403 forbidden', 'who is one no more at once') from people;
select is((select app.actor_json(two) ->> 'nickname' from people), 'Tester', 'and is seen as a member in the records')
from people;

select * from finish();
rollback;
