-- Guarantee privacy/left-earns-nothing
begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.reporter() as gone;
create temporary table b as select pg_temp.sign_up((select gone::text from m)) as below, pg_temp.sign_up() as other;
create temporary table c as select u.share_code as code from app.users as u, m where u.uid = m.gone;
delete from auth.users where id = (select u.auth_id from app.users as u, m where u.uid = m.gone);

select is(
  (select u.spread_uid from app.users as u, b where u.uid = b.below), (select gone from m),
  'direct members stay where they are'
);
select is(
  (select u.spread_uid from app.users as u where u.uid = pg_temp.sign_up((select gone::text from m))), null,
  'a sign-up with the number works without a referrer'
);
select throws_ok(
  format('select app.bind_spread(%s, %s, now())', other, gone), 'PT422', 'spread_unknown',
  'to bind to them answers as for an unknown number'
) from b, m;
select is(api.find_inviter(gone, code), null, 'the page of their share link shows nobody') from m, c;
select is((select count(*)::integer from app.posters as p, m where p.uid = m.gone), 0, 'no poster is left');
-- An account that waits for its confirmation while the referrer leaves.
insert into auth.users (id, email, raw_user_meta_data) select gen_random_uuid(), 'late@example.com',
  jsonb_build_object('spread', other)
from b;
delete from auth.users where id = (select u.auth_id from app.users as u, b where u.uid = b.other);
update auth.users set email_confirmed_at = now() where email = 'late@example.com';
select is(
  (select u.spread_uid from app.users as u join auth.users as a on a.id = u.auth_id where a.email = 'late@example.com'),
  null, 'an account that is confirmed later has no referrer either'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
