begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table boss as select pg_temp.administrator() as id;
create temporary table accounts as select gen_random_uuid() as id, c.name, c.is_sso_user
  from (values ('li', false), ('wang', false), ('zhao', true)) as c (name, is_sso_user);
insert into auth.users (id, email, is_sso_user, email_confirmed_at) select a.id, a.name || '@example.com',
  a.is_sso_user, now()
from accounts as a;
insert into app.invitations (email, roles, invited_by, invited_at) select a.name || '@example.com', '{service}',
  boss.id, now()
from accounts as a cross join boss;
create function pg_temp.give(p_name text) returns void language sql as $$
  select app.give_roles(a.id, '{finance}', null, boss.id) from accounts as a cross join boss where a.name = p_name
$$;
create function pg_temp.invited() returns text language sql as $$ select string_agg(
  split_part(i.email, '@', 1), ' ' order by i.email
)
  from app.invitations as i $$;

select pg_temp.give('li');
select is(pg_temp.invited(), 'wang zhao', 'a role uses up the invitation of the address');
select results_eq(
  'select a.name, d.roles, d.added_by from app.administrators as d join accounts as a on a.id = d.auth_id',
  $$ select 'li', '{finance}'::text[], id
    from boss $$,
  'only this account gets the role'
);
select results_eq(
  'select a.name from auth.users as u join accounts as a on a.id = u.id where u.role = ''store_admin''',
  $$ values ('li') $$, 'also in its tokens'
);
select pg_temp.give('zhao');
select is(
  pg_temp.invited(), 'wang zhao', 'an account of a single sign-on, whose address nobody has proved here, uses up none'
);
select pg_temp.give('li');
select is(pg_temp.invited(), 'wang zhao', 'nor does a role that is given again');

select * from finish();
rollback;
