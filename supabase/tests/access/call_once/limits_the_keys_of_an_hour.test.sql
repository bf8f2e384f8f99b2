begin;
\ir ../../support/fixture.psql
select plan(5);
grant store_api to postgres;

update app.settings set keys_per_hour = 2;
create temporary table new as select pg_temp.sign_up() as uid;
create temporary table m as select u.uid, u.auth_id from app.users as u join new on new.uid = u.uid;
create function pg_temp.once(
  p_key text, p_nickname text, p_role text default 'authenticated'
) returns text language sql as $$
  select left(pg_temp.attempt('store_api', format(
    'select app.as_caller(%L, %L, %L, %L)', jsonb_build_object('role', p_role, 'sub', m.auth_id), 'set_me',
    jsonb_build_object('p_nickname', p_nickname), p_key
  )), 23)
  from m
$$;

select is(
  array(select left(pg_temp.once('key-' || n, 'Lin'), 1) from generate_series(1, 2) as n order by n), array['{', '{'],
  'up to the quota, keys are taken'
);
select is(pg_temp.once('key-3', 'Lin'), 'PT429 too_many_requests', 'no more keys are taken within the hour');
select is(left(pg_temp.once('key-2', 'Lin'), 1), '{', 'a repeated request gets its response and counts nothing');
select is(
  (select q.used from app.used_quotas as q, m where q.uid = m.uid and q.kind = 'key'), 2,
  'neither a rejected nor a repeated request has counted'
);
select app.add_administrator(auth_id::text) from m;
select is(left(pg_temp.once('key-3', 'Lin', 'store_admin'), 1), '{', 'the keys of administrators are not limited');

select * from finish();
rollback;
