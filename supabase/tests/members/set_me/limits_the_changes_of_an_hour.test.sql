begin;
\ir ../../support/fixture.psql
select plan(4);
grant store_api to postgres;

update app.settings set profile_changes_per_hour = 2;
create temporary table m as select pg_temp.sign_up() as uid;
create function pg_temp.rename(p_nickname text) returns text language sql as $$
  select left(
    pg_temp.call(
      (select u.auth_id from app.users as u, m where u.uid = m.uid), 'set_me',
      jsonb_build_object('p_nickname', p_nickname), 'authenticated'
    ),
    23
  )
$$;

select is(pg_temp.rename(repeat('x', 65)), 'PT422 invalid_argument', 'a change that is rejected does not count');
select is(
  array(select left(pg_temp.rename('Lin ' || n), 1) from generate_series(1, 2) as n order by n), array['{', '{'],
  'up to the quota, the profile changes'
);
select is(pg_temp.rename('Lin 3'), 'PT429 too_many_requests', 'it does not change more often within the hour');
update app.used_quotas set began_at = began_at - interval '1 hour';
select is(left(pg_temp.rename('Lin 4'), 1), '{', 'after the hour, it changes again');

select * from finish();
rollback;
