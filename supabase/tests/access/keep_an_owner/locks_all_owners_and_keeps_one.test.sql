begin;
\ir ../../support/fixture.psql
select plan(8);

-- Written here, so that no row has been locked before. A row that a transaction has locked names it in xmax.
delete from app.administrators;
create temporary table people as
select n.name, n.roles, gen_random_uuid() as id
from (values ('one', '{owner}'::text[]), ('two', '{content, owner}'), ('clerk', '{service}')) as n (name, roles);
insert into auth.users (id, email, role, email_confirmed_at) select p.id, p.id || '@example.com', 'store_admin', now()
from people as p;
insert into app.administrators (auth_id, roles, added_at) select p.id, p.roles, now() from people as p;
create view pg_temp.locked as select p.name from app.administrators as a join people as p on p.id = a.auth_id
  where a.xmax <> '0';

select is_empty('select from pg_temp.locked', 'nobody is locked at first');
select lives_ok(format('select app.keep_an_owner(%L)', id), 'one of two owners may leave') from people
where name = 'one';
select set_eq(
  'select name from pg_temp.locked', array['one', 'two'], 'and all owners are locked, whatever other roles they have'
);
update auth.users as u set banned_until = now() + interval '1 day' from people as p
where u.id = p.id and p.name = 'two';
select throws_ok(
  format('select app.keep_an_owner(%L)', id), 'PT422', 'invalid_argument', 'the last one that is active may not'
)
from people where name = 'one';
select lives_ok(format('select app.keep_an_owner(%L)', id), 'one that is blocked may') from people where name = 'two';
select lives_ok(format('select app.keep_an_owner(%L)', id), 'as may who is no owner') from people where name = 'clerk';
update auth.users as u set banned_until = now() from people as p where u.id = p.id and p.name = 'two';
select throws_ok(
  format('select app.keep_an_owner(%L)', id), 'PT422', 'invalid_argument', 'a block that ends now still counts'
)
from people where name = 'one';
update auth.users as u set banned_until = now() - interval '1 second' from people as p
where u.id = p.id and p.name = 'two';
select lives_ok(format('select app.keep_an_owner(%L)', id), 'one that has ended does not') from people
where name = 'one';

select * from finish();
rollback;
