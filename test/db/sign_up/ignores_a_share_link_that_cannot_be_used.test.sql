begin;
\ir ../support/fixture.psql
select plan(13);

select is((select u.spread_uid from app.users as u where u.uid = pg_temp.sign_up(s.spread)), null, format('spread %L leaves the member without a referrer', s.spread))
from (values (null), (''), ('0'), ('-1'), ('abc'), ('1.5'), ('99999999999999999999999999'), ('999999999999999999'), ('{"a":1}'), ('1; drop table app.users'), ('２')) as s (spread);
create temporary table guess as select (last_value + 1)::text as uid from app.users_uid_seq;
select is((select u.spread_uid from app.users as u where u.uid = pg_temp.sign_up((select uid from guess))), null, 'nobody is their own referrer by guessing the next uid');
insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'without-metadata@example.com');
select is((select u.nickname from app.users as u where u.auth_id = '00000000-0000-4000-8000-00000000000a'), 'Member', 'an account without metadata becomes a member');

select * from finish();
rollback;
