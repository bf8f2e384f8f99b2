-- Guarantee access/machine-key-repeated
begin;
\ir ../support/fixture.psql
select plan(6);

create temporary table owner as select pg_temp.administrator() as id, pg_temp.administrator() as other;
create function pg_temp.make(p_name text) returns void language sql as $$
  insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
  select p_name, sha256('secret'), '{orders:write}', 100, o.id, o.id, now(), now() + interval '1 year' from owner as o
$$;
create function pg_temp.state(p_name text) returns text language sql as $$ select app.key_state(k, clock_timestamp())
  from app.machine_keys as k where k.name = p_name $$;
select pg_temp.make('ended'), pg_temp.make('works');

select app.remove_administrator(o.id::text) from owner as o;
select is(pg_temp.state('works'), 'blocked', 'the key of an owner who was removed stands still');
update app.machine_keys as k set owner_left_at = now() - interval '30 days' where k.name = 'ended';
select app.add_administrator(o.id::text) from owner as o;
select is(pg_temp.state('works'), 'active', 'and is theirs as before when they come back');
select is(
  (select app.key_ends_at(k) from app.machine_keys as k where k.name = 'works'), now() + interval '1 year',
  'until it expires'
);
select is(pg_temp.state('ended'), 'ended', 'one that has ended does not work again');

-- A program repeats a request with its idempotency key, whoever answers for the machine key by then.
insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, created_at)
select o.id, 'store_key ' || k.id, 'repeated', sha256('call'), '{"uid": 1}', now()
from owner as o, app.machine_keys as k where k.name = 'works';
insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, created_at)
select o.id, 'store_admin', 'repeated', sha256('call'), '{"uid": 1}', now() from owner as o;
delete from auth.users as u using owner as o where u.id = o.id;
select results_eq(
  $$ select i.role from app.idempotency_keys as i, owner as o where i.auth_id = o.id $$, $$ select 'store_key ' || k.id
  from app.machine_keys as k where k.name = 'works' $$,
  'a deletion of the account leaves what the key has done, so that a repeated request has no second effect'
);
select is(pg_temp.state('works'), 'blocked', 'since somebody may take the key over');
select * from finish();
rollback;
