begin;
\ir ../../support/fixture.psql
select plan(8);

-- The Auth server keeps an address unique only among the accounts that do not come from a single sign-on.
create temporary table accounts as
select c.name, gen_random_uuid() as id, c.is_sso_user, c.age
from (values ('early sso', true, 3), ('own', false, 2), ('late sso', true, 1)) as c (name, is_sso_user, age);
insert into auth.users (id, email, is_sso_user, created_at, email_confirmed_at)
select a.id, 'li@example.com', a.is_sso_user, now() - make_interval(days => a.age), now() from accounts as a;
create function pg_temp.found(p_account text) returns text language sql as $$ select a.name from accounts as a
  where a.id = app.find_account(p_account) $$;

select is(pg_temp.found('li@example.com'), 'own', 'an address is that of the account with a password');
select is(pg_temp.found('LI@Example.com'), 'own', 'in any case');
select is(pg_temp.found(upper(id::text)), name, format('an id is that of its account: %s', name)) from accounts
where name = 'late sso';
delete from auth.users as u using accounts as a where u.id = a.id and a.name = 'own';
select is(pg_temp.found('li@example.com'), 'early sso', 'without one, of the oldest');
update auth.users as u set deleted_at = now() from accounts as a where u.id = a.id and a.name = 'early sso';
select is(pg_temp.found('li@example.com'), 'late sso', 'which is not deleted');
select throws_ok(format('select app.find_account(%L)', c.account), 'PT404', 'user_not_found', c.sentence) from (values
  ('nobody@example.com', 'another address is not found'), ('', 'nor is an empty one'), (null, 'nor none')
) as c (account, sentence);

select * from finish();
rollback;
