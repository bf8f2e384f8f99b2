begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(12);

-- The only administrators of this test.
delete from app.administrators;
create temporary table admins as select pg_temp.administrator() as one;
create function pg_temp.me(p_id uuid) returns jsonb language plpgsql as $$
declare
  v_result text := pg_temp.call(p_id, 'get_own_roles');
begin
  return case when v_result like 'PT%' then to_jsonb(v_result) else v_result::jsonb - '{auth_id, name}'::text[] end;
end
$$;

select is(
  pg_temp.me(one),
  '{"roles": ["owner"], "areas": ["administrators", "content", "keys", "members", "money", "orders", "plan", "records", "refunds", "system"]}',
  'an owner may change everything'
) from admins;
select throws_ok(
  format($$ select app.remove_administrator('%s') $$, one), 'PT422', 'invalid_argument',
  'the last owner cannot be removed'
)
from admins;
select throws_ok(
  format($$ select app.add_administrator('%s', '{finance}') $$, one), 'PT422', 'invalid_argument',
  'the last owner cannot lose the role'
)
from admins;
select lives_ok(
  format($$ select app.add_administrator('%s', '{owner, content}') $$, one), 'the last owner can get another role'
)
from admins;

alter table admins add two uuid;
update admins set two = pg_temp.administrator();
update auth.users as u set banned_until = now() + interval '1 day' from admins as a where u.id = a.two;
select throws_ok(
  format($$ select app.remove_administrator('%s') $$, one), 'PT422', 'invalid_argument',
  'an owner who is banned does not count'
)
from admins;
update auth.users as u set banned_until = null from admins as a where u.id = a.two;

select lives_ok(
  format($$ select app.add_administrator('%s', '{finance, service}') $$, one),
  'beside another owner, the role can be taken away'
)
from admins;
select is(
  pg_temp.me(one), '{"roles": ["finance", "service"], "areas": ["members", "money", "orders", "records", "refunds"]}',
  'the same session has the new roles at once'
) from admins;
select is(
  pg_temp.set_settings(one, '{}'), 'PT403 forbidden',
  'an administrator can no longer change what the new roles do not allow'
)
from admins;
select results_eq(
  $$ select from_value, to_value from app.admin_actions as c, admins as a where c.target_id = a.one::text
  order by c.id desc limit 1 $$,
  $$ values ('{"roles": ["owner", "content"]}'::jsonb, '{"roles": ["finance", "service"]}'::jsonb) $$,
  'the change is recorded'
);
select throws_ok(
  format($$ select app.add_administrator('%s', '{}') $$, one), 'PT422', 'invalid_argument',
  'an administrator has a role'
)
from admins;
select lives_ok(
  format($$ select app.remove_administrator('%s') $$, one), 'an administrator who is no owner can be removed'
)
from admins;
select is(pg_temp.me(one), to_jsonb('PT403 forbidden'::text), 'only administrators read their roles') from admins;

select * from finish();
rollback;
