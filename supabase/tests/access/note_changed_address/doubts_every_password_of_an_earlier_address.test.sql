begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table accounts as select n.name, gen_random_uuid() as id, n.is_proved
  from (values ('never noted', null), ('unproved', false), ('proved', true), ('another', true)) as n (name, is_proved);
insert into auth.users (id, email, email_confirmed_at) select a.id, a.id || '@example.com', now() from accounts as a;
insert into app.unproved_passwords (auth_id, is_proved) select a.id, a.is_proved from accounts as a
where a.is_proved is not null;
create temporary table t as select clock_timestamp() as before;
update auth.users as u set email = 'new-' || u.email from accounts as a where u.id = a.id and a.name <> 'another';

select is(
  (
    select concat_ws(' ', u.is_proved, u.address_since >= t.before) from app.unproved_passwords as u, t
    where u.auth_id = a.id
  ),
  'f t', format('a password that was %s', a.name)
)
from accounts as a where a.name <> 'another';
select is(
  (select concat_ws(' ', u.is_proved, u.address_since) from app.unproved_passwords as u where u.auth_id = a.id),
  't -infinity', 'other accounts stay as they are'
)
from accounts as a where a.name = 'another';
update app.unproved_passwords set is_proved = true, address_since = '-infinity';
update auth.users as u set email = u.email, encrypted_password = 'x' from accounts as a where u.id = a.id;
select is(
  (select count(*) from app.unproved_passwords as u join accounts as a on a.id = u.auth_id where not u.is_proved),
  0::bigint, 'an address that stays the same is no change'
);

select * from finish();
rollback;
