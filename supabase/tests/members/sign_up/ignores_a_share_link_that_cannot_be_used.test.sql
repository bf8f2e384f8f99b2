begin;
\ir ../../support/fixture.psql
select plan(16);

-- Signs up in the select list. A condition would be evaluated once per member, so never in an empty store.
create temporary table s as
select spread, pg_temp.sign_up(spread) as uid
from (
  values (null), (''), ('0'), ('-1'), ('abc'), ('1.5'), ('99999999999999999999999999'), ('999999999999999999'),
  ('{"a":1}'), ('1; drop table app.users'), ('２')
) as v (spread);
select is(u.spread_uid, null, format('spread %L leaves the member without a referrer', s.spread)) from s
left join app.users as u on u.uid = s.uid;
select is((select count(*) from app.users as u join s on s.uid = u.uid), 11::bigint, 'the accounts exist');

create temporary table guess as select pg_temp.sign_up() + 1 as uid;
create temporary table g as select pg_temp.sign_up((select uid::text from guess)) as uid;
select is((select uid from g), (select uid from guess), 'the next uid can be predicted');
select is(
  (select u.spread_uid from app.users as u join g on g.uid = u.uid), null,
  'a predicted uid does not make the member their own referrer'
);

insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (
  now(), '00000000-0000-4000-8000-00000000000b', 'object@example.com', '{"spread": {"uid": 10001}}'
);
select is(
  (select u.spread_uid from app.users as u where u.auth_id = '00000000-0000-4000-8000-00000000000b'), null,
  'an object is ignored'
);
insert into auth.users (email_confirmed_at, id, email) values (
  now(), '00000000-0000-4000-8000-00000000000a', 'without-metadata@example.com'
);
select is(
  (select u.nickname from app.users as u where u.auth_id = '00000000-0000-4000-8000-00000000000a'), 'Member',
  'an account without metadata becomes a member'
);

select * from finish();
rollback;
