begin;
\ir ../support/fixture.psql
select plan(8);

-- Two owners with a key each; a third one stays.
create temporary table owners as select o.name, pg_temp.administrator() as id
  from (values ('first'), ('second'), ('third')) as o (name);
insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
select o.name, sha256('secret'), '{orders:read}', 100, o.id, o.id, now(), now() + interval '1 day' from owners as o
where o.name <> 'third';
create function pg_temp.state(p_name text) returns text language sql as $$ select app.key_state(k, clock_timestamp())
  from app.machine_keys as k where k.name = p_name $$;
create function pg_temp.ban(p_name text, p_until timestamptz) returns void language sql as $$
  update auth.users as u set banned_until = p_until from owners as o where u.id = o.id and o.name = p_name
$$;

select pg_temp.ban('first', now() + interval '1 day');
select is(pg_temp.state('first'), 'blocked', 'a key does not work while its owner is banned');
select throws_ok(
  $$ select app.require_working_key(k) from app.machine_keys as k
  where k.name = 'first' $$, null, 'invalid_key', 'so the key is refused'
);
select pg_temp.ban('first', null);
select is(pg_temp.state('first'), 'active', 'after the ban, it works again');
select pg_temp.ban('first', now() + interval '1 day');
select app.remove_administrator(o.id::text) from owners as o where o.name = 'first';
select pg_temp.ban('first', null);
select is(pg_temp.state('first'), 'blocked', 'but not if somebody was removed meanwhile');

select app.remove_administrator(o.id::text) from owners as o where o.name = 'second';
select is(pg_temp.state('second'), 'blocked', 'the key of an owner who was removed stands still');
delete from auth.users as u using owners as o where u.id = o.id and o.name = 'second';
select is(pg_temp.state('second'), 'blocked', 'also when the account is deleted');
update app.machine_keys as k set owner_left_at = now() - interval '30 days' where k.name = 'second';
select is(pg_temp.state('second'), 'ended', 'and ends after 30 days in which nobody took it over');
select is(
  (select owner_left_at is not null from app.machine_keys as k where k.name = 'first'), true,
  'so does that of somebody who was removed while banned'
);

select * from finish();
rollback;
