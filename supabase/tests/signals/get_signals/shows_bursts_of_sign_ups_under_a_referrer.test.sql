begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
\ir ../../support/signals.psql
select plan(8);

-- p_members sign-ups under a new member, evenly from p_from to p_to.
create function pg_temp.sign_ups(
  p_members integer, p_from interval, p_to interval, p_uid bigint default pg_temp.sign_up()
) returns bigint language plpgsql as $$
begin
  insert into app.users (nickname, spread_uid, spread_time, add_time)
  select 'Burst', p_uid, t.at, t.at
  from generate_series(0, p_members - 1) as n
  cross join lateral (
    select timestamptz '2026-11-20 00:00+00' + p_from + (p_to - p_from) * n / (p_members - 1) as at
  ) as t
  order by n;
  return p_uid;
end
$$;
create function pg_temp.bursts(p_uid bigint, p_limit integer default 100) returns text language sql as $$
  select string_agg(
    format('%s from %s to %s', s ->> 'members', substr(s ->> 'begins_at', 12, 8), substr(s ->> 'ends_at', 12, 8)), ', '
    order by n
  )
  from pg_temp.signals('sign_up_burst', 'uid', array[p_uid], p_limit) with ordinality as l (s, n)
$$;

select is(pg_temp.bursts(pg_temp.sign_ups(19, '0', '10 minutes')), null, '19 sign-ups in ten minutes are none');
select is(pg_temp.bursts(pg_temp.sign_ups(20, '0', '1 hour')), null, 'nor are 20 in an hour');
select is(
  pg_temp.bursts(pg_temp.sign_ups(20, '0', '59 minutes 59 seconds')), '20 from 00:00:00 to 00:59:59',
  '20 in less than an hour are'
);
select is(
  pg_temp.bursts(pg_temp.sign_ups(101, '0', '2 hours 30 minutes')), '101 from 00:00:00 to 02:30:00',
  'one that lasts longer is listed once'
);
create temporary table m as select pg_temp.sign_ups(30, '0', '20 minutes') as twice;
select pg_temp.sign_ups(2, '3 hours', '4 hours', m.twice), pg_temp.sign_ups(25, '9 hours', '9 hours 5 minutes', m.twice)
from m;
select is(
  pg_temp.bursts(m.twice), '25 from 09:00:00 to 09:05:00, 30 from 00:00:00 to 00:20:00',
  'two of one member are listed apart, the latest first'
)
from m;
select is(
  pg_temp.bursts(m.twice, 1), '25 from 09:00:00 to 09:05:00, 30 from 00:00:00 to 00:20:00', 'in pages of any size'
)
from m;
select is(
  (
    select s - '{begins_at, ends_at}'::text[]
    from m, lateral pg_temp.signals('sign_up_burst', 'uid', array[m.twice]) as s limit 1
  ),
  (
    select jsonb_build_object(
      'kind', 'sign_up_burst', 'uid', m.twice, 'nickname', 'Tester', 'members', 25, 'last_uid',
      (select max(u.uid) from app.users as u where u.spread_uid = m.twice)
    )
    from m
  ),
  'a row names the referrer'
);
-- Later members without a referrer fill a page.
insert into app.users (nickname) select 'Later' from generate_series(1, app.signal_read_limit());
select is(
  pg_temp.signal_page('sign_up_burst') - 'examined_to',
  (
    select jsonb_build_object('list', '[]'::jsonb, 'next_cursor', min(u.uid)) from app.users as u
    where u.nickname = 'Later'
  ),
  'a page examines a bounded number of members, and says where the next one begins'
);

select * from finish();
rollback;
