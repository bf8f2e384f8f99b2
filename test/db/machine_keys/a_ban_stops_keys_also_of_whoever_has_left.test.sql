begin;
\ir ../support/fixture.psql
select plan(6);

create temporary table owner as select pg_temp.administrator() as id;
create temporary table key as
with made as (
  insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
  select 'Warehouse', sha256('secret'), '{orders:read}', 100, o.id, o.id, now(), now() + interval '1 day' from owner as o
  returning id
)
select id from made;
-- A second owner, because the last one stays.
select from pg_temp.administrator();
create function pg_temp.state() returns text language sql as $$ select app.key_state(k, clock_timestamp()) from app.machine_keys as k join key using (id) $$;
create function pg_temp.ban(p_until timestamptz) returns void language sql as $$ update auth.users as u set banned_until = p_until from owner as o where u.id = o.id $$;

select is(pg_temp.state(), 'active', 'a key works as long as its owner is an administrator');
select pg_temp.ban(now() + interval '1 day');
select is(pg_temp.state(), 'blocked', 'and not while the owner is banned');
select app.remove_administrator(o.id::text) from owner as o;
select is(pg_temp.state(), 'blocked', 'whoever is removed while banned gets no 30 days by that');
select throws_ok(
  format($$ select app.require_working_key(k) from app.machine_keys as k where k.id = %s $$, id), null, 'invalid_key', 'so the key is refused'
) from key;
select pg_temp.ban(null);
select is(pg_temp.state(), 'leaving', 'after the ban, the days count from the removal');
update app.machine_keys as k set owner_left_at = now() - interval '30 days' from key where k.id = key.id;
select is(pg_temp.state(), 'ended', 'and end');

select * from finish();
rollback;
