-- Guarantee money/share-link-name: A share link tells the name of its member only to whom it was given, and to nobody
-- once the member has left
-- By: a random code, app.users.share_code, and a limit by address, app.count_asked_name
begin;
\ir ../support/fixture.psql
select plan(14);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create function pg_temp.name_by(
  p_uid bigint, p_code uuid, p_address text default '192.0.2.1'
) returns text language sql as $$
  select api.find_inviter(p_uid, p_code, p_address) ->> 'nickname'
$$;
create function pg_temp.code_of(p_uid bigint) returns uuid language sql as $$ select u.share_code from app.users as u
  where u.uid = p_uid $$;
-- The address has asked as often as it may.
create function pg_temp.exhaust(p_network text) returns void language sql as $$
  insert into app.hourly_counts (what, began_at, count) values (
    sha256(convert_to('names ' || p_network, 'UTF8')), clock_timestamp(), 300
  )
  on conflict (what) do update set count = 300
$$;

select is(pg_temp.name_by(uid, pg_temp.code_of(uid)), 'Tester', 'who has the share code learns the name') from m;
select is(pg_temp.name_by(uid, gen_random_uuid()), null, 'who guesses a code learns nothing') from m;
select is(pg_temp.name_by(uid, null), null, 'nor who has none') from m;
select is(
  pg_temp.name_by(other, pg_temp.code_of(uid)), null, 'the code of one member does not tell the name of another'
)
from m;
select isnt(pg_temp.code_of(uid), pg_temp.code_of(other), 'each member has another code') from m;
select is(pg_temp.name_by(900000000001, gen_random_uuid()), null, 'an unknown member is no error');

select pg_temp.exhaust('192.0.2.1/32');
select throws_ok(
  'select pg_temp.name_by(uid, pg_temp.code_of(uid)) from m', 'PT429', 'too_many_requests',
  'an address may ask 300 times within an hour'
);
select is(pg_temp.name_by(uid, pg_temp.code_of(uid), '192.0.2.2'), 'Tester', 'another address may still ask') from m;
select pg_temp.exhaust('2001:db8:1:2::/64');
select throws_ok(
  'select pg_temp.name_by(uid, pg_temp.code_of(uid), ''2001:db8:1:2:3::4'') from m', 'PT429', 'too_many_requests',
  'a network of IPv6 counts as one address'
);
select is(
  pg_temp.name_by(uid, pg_temp.code_of(uid), 'nonsense'), 'Tester', 'what is no address counts with the unknown ones'
)
from m;
select is((select count from app.hourly_counts where what = sha256('names unknown')), 1, 'which share one count');
update app.hourly_counts set began_at = began_at - interval '1 hour';
select is(pg_temp.name_by(uid, pg_temp.code_of(uid)), 'Tester', 'in the next hour, the address may ask again') from m;

create temporary table codes as select uid, pg_temp.code_of(uid) as code, other, pg_temp.code_of(other) as other_code
  from m;
delete from auth.users where id = (select u.auth_id from app.users as u, m where u.uid = m.uid);
update auth.users set deleted_at = now() where id = (select u.auth_id from app.users as u, m where u.uid = m.other);
select is(pg_temp.name_by(uid, code), null, 'the code of a deleted member says nothing') from codes;
select is(pg_temp.name_by(other, other_code), null, 'nor does that of a member who is marked as deleted') from codes;

select * from finish();
rollback;
