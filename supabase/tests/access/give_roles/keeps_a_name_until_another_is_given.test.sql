begin;
\ir ../../support/fixture.psql
select plan(9);

create temporary table new as select pg_temp.sign_up() as uid;
create temporary table m as select u.auth_id as member from app.users as u join new on new.uid = u.uid;
insert into auth.users (id, email, role, email_confirmed_at) values (
  '00000000-0000-4000-8000-0000000000f1', repeat('a', 60) || '@example.com', 'store_admin', now()
);
create function pg_temp.named(p_id uuid, p_name text) returns text language sql as $$
  select app.give_roles(p_id, '{service}', p_name, null);
  select a.name from app.administrators as a where a.auth_id = p_id
$$;

select is(pg_temp.named(member, null), 'Tester', 'a member is first named by the nickname') from m;
select is(
  pg_temp.named('00000000-0000-4000-8000-0000000000f1', null), repeat('a', 60) || '@exa',
  'anybody else by the beginning of the address'
);
select is(pg_temp.named(member, 'Li Lei'), 'Li Lei', 'a name takes its place') from m;
select is(pg_temp.named(member, null), 'Li Lei', 'roles without a name keep it') from m;
select is(pg_temp.named(member, '  '), 'Li Lei', 'as do roles with one that nobody sees') from m;
select is(pg_temp.named(member, repeat('b', 65)), repeat('b', 64), 'of a longer name, 64 characters count') from m;
insert into auth.users (id, email, role, email_confirmed_at) values (
  '00000000-0000-4000-8000-0000000000f2', 'long@example.com', 'store_admin', now()
);
select is(
  pg_temp.named('00000000-0000-4000-8000-0000000000f2', repeat('c', 65)), repeat('c', 64), 'of a first name, too'
);
select is(
  (select a.roles from app.administrators as a, m where a.auth_id = m.member), '{service}'::text[],
  'the roles are those given last'
);
select from m, app.give_roles(member, '{content}', null, null);
select is(
  (select a.roles from app.administrators as a, m where a.auth_id = m.member), '{content}'::text[],
  'instead of the earlier ones'
);

select * from finish();
rollback;
