begin;
\ir ../../support/fixture.psql
select plan(5);

-- Written here, so that no row has been locked before. A row that a transaction has locked names it in xmax.
delete from app.administrators;
create temporary table accounts as
select r.name, r.roles, gen_random_uuid() as id
from (
  values ('caller', '{owner}'::text[]), ('other owner', '{owner, content}'), ('named', '{finance}'),
  ('nobody', '{service}')
) as r (name, roles);
insert into auth.users (id, email, role, email_confirmed_at) select a.id, a.id || '@example.com', 'store_admin', now()
from accounts as a;
insert into app.administrators (auth_id, roles, added_at) select a.id, a.roles, now() from accounts as a;
create view pg_temp.locked as select a.name from app.administrators as d join accounts as a on a.id = d.auth_id
  where d.xmax <> '0';
select is_empty('select name from pg_temp.locked', 'nobody is locked at first');

select set_config('request.jwt.claims', jsonb_build_object('role', 'store_admin', 'sub', a.id)::text, true)
from accounts as a where a.name = 'caller';
select is((app.lock_administrator(a.id)).roles, a.roles, 'the administrator is returned') from accounts as a
where a.name = 'named';
select set_eq(
  'select name from pg_temp.locked', array['caller', 'other owner', 'named'],
  'and locked with all owners, whatever other roles they have'
);
select throws_ok(
  format('select app.lock_administrator(%L)', gen_random_uuid()), 'PT404', 'administrator_not_found',
  'anybody else is not found'
);

select set_config('request.jwt.claims', jsonb_build_object('role', 'store_admin', 'sub', a.id)::text, true)
from accounts as a where a.name = 'named';
select throws_ok(
  format('select app.lock_administrator(%L)', a.id), 'PT403', 'forbidden',
  'whoever is no owner any more once the locks are taken acts no more'
)
from accounts as a where a.name = 'nobody';

select * from finish();
rollback;
