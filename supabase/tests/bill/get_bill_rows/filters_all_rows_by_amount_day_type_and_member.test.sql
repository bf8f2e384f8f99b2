begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(20);

create temporary table admins as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create temporary table o as select pg_temp.buy(uid) as id from m;
-- On one day: a cent more and a cent less, a large amount, points, and a release of the same number of points.
insert into app.user_bill (
  uid, type, source, brokerage_delta, frozen_delta, available_delta, order_id, basis, rate, brokerage_after,
  frozen_after, available_after, add_time, reverses_id, adjustment_id
)
select case n when 6 then m.other else m.uid end, type, source, brokerage, frozen, available,
  case when source in ('cycle', 'checkout') then o.id end, 1, 1, 0, 0, 0,
  '2026-10-05T03:00:00Z'::timestamptz + n * interval '1 minute', case when type like '%reversal' then 1 end, null
from m, o, (values
  (1, 'brokerage', 'cycle', 0.01, 0, 0), (2, 'brokerage_reversal', 'cycle', -0.01, 0, 0),
    (3, 'brokerage', 'cycle', 720, 0, 0),
  (4, 'points_returned', 'checkout', 0, 0, 12.5), (5, 'frozen_points_release', 'release', 0, -12.5, 12.5),
  (6, 'points_returned', 'checkout', 0, 0, 7)
) as r (n, type, source, brokerage, frozen, available);

create function pg_temp.rows(p_args text) returns text language sql as $$
  select coalesce((r ->> 'count') || ': ' || (
    select string_agg(
      concat_ws(' ', e ->> 'type', nullif(e ->> 'brokerage', '0.00'), nullif(e ->> 'available_points', '0')), ', '
      order by n
    )
    from jsonb_array_elements(r -> 'list') with ordinality as l (e, n)
  ), r ->> 'count', r ->> 0)
  from (
    select case when c like '{%' then c::jsonb else jsonb_build_array(c) end as r
    from (select pg_temp.call(a.id, 'get_bill_rows', p_args::jsonb) as c from admins as a) as s
  ) as t
$$;
create function pg_temp.of_day(p_args text) returns text language sql as $$
  select pg_temp.rows(
    (p_args::jsonb || '{"p_from": "2026-10-05T00:00:00+08:00", "p_to": "2026-10-06T00:00:00+08:00"}')::text
  )
$$;

select is(
  pg_temp.of_day('{}'),
  '6: points_returned 7, frozen_points_release 12.5, points_returned 12.5, brokerage 720.00, brokerage_reversal -0.01, brokerage 0.01',
  'all rows of a day, newest first, releases included'
);
select is(
  pg_temp.of_day('{"p_min_amount": 0.01, "p_max_amount": 0.01}'), '2: brokerage_reversal -0.01, brokerage 0.01',
  'a cent, whatever its sign'
);
select is(
  pg_temp.of_day('{"p_max_amount": 1}'), '2: brokerage_reversal -0.01, brokerage 0.01',
  'at most 1.00, without rows that change no commission'
);
select is(pg_temp.of_day('{"p_min_amount": 0.02}'), '1: brokerage 720.00', 'at least 0.02');
select is(
  pg_temp.of_day('{"p_balance": "available_points", "p_min_amount": 12.5, "p_max_amount": 12.5}'),
  '2: frozen_points_release 12.5, points_returned 12.5', 'points, releases included'
);
select is(
  pg_temp.of_day('{"p_balance": "available_points", "p_min_amount": 12.5, "p_type": "points_returned"}'),
  '1: points_returned 12.5', 'of a type'
);
select is(pg_temp.of_day('{"p_source": "checkout"}'), '2: points_returned 7, points_returned 12.5', 'a source');
select is(pg_temp.of_day(format('{"p_uid": %s}', other)), '1: points_returned 7', 'a member') from m;
select is(
  pg_temp.rows(format('{"p_uid": %s, "p_min_amount": 0.01, "p_from": "2020-01-01Z"}', uid)),
  '3: brokerage 720.00, brokerage_reversal -0.01, brokerage 0.01', 'a member needs no period'
)
from m;
select is(
  pg_temp.rows(
    '{"p_earned_from": "2026-10-05T00:00:00+08:00", "p_earned_to": "2026-10-06T00:00:00+08:00", "p_balance": "available_points"}'
  ),
  '3: brokerage 720.00, brokerage_reversal -0.01, brokerage 0.01',
  'what orders earned, less reversals, without points that an order paid with, and without releases'
);
select is(
  pg_temp.rows(
    '{"p_earned_from": "2026-10-05T03:02:00Z", "p_earned_to": "2026-10-05T03:03:00Z", "p_from": "2026-10-01Z", "p_to": "2026-11-10Z"}'
  ),
  '1: brokerage_reversal -0.01', 'in a period whose end does not count, whatever other period is longer'
);
select is(
  array(
    select pg_temp.rows(jsonb_build_object('p_earned_from', f, 'p_earned_to', '2026-10-06Z')::text)
    from unnest(array['2026-07-05Z', '2026-07-04Z']) as f
  ),
  array['3: brokerage 720.00, brokerage_reversal -0.01, brokerage 0.01', 'PT422 invalid_argument'],
  'that needs a period of at most 93 days, as the report does'
);
update app.users set agent_level = 2 where uid = (select uid from m);
select is(
  array(
    select pg_temp.rows(
      format(
        '{"p_earned_from": "2026-10-05T00:00:00+08:00", "p_earned_to": "2026-10-06T00:00:00+08:00", "p_agent_level": %s}',
        l
      )
    )
    from unnest('{2, 0}'::integer[]) as l
  ),
  array['3: brokerage 720.00, brokerage_reversal -0.01, brokerage 0.01', '0'], 'of the members who have a level now'
);
select matches(
  pg_temp.rows('{"p_agent_level": 2, "p_from": "2026-09-01Z", "p_to": "2026-10-06Z"}'), '^PT422 invalid_argument',
  'a level needs a period of at most 31 days'
);
select matches(
  pg_temp.rows('{"p_type": "brokerage", "p_from": "2026-09-01Z", "p_to": "2026-10-06Z"}'), '^PT422 invalid_argument',
  'a type needs a period of at most 31 days'
);
select is(
  pg_temp.rows('{"p_type": "brokerage", "p_from": "2026-09-06Z", "p_to": "2026-10-06T16:00:00Z"}'),
  '2: brokerage 720.00, brokerage 0.01', 'and has a month'
);
select matches(
  pg_temp.rows('{"p_balance": "frozen_points", "p_min_amount": 1, "p_from": "2026-10-04Z", "p_to": "2026-10-06Z"}'),
  '^PT422 invalid_argument',
  'amounts that releases can have need a period of one day'
);
select is(
  array(
    select pg_temp.rows(a)
    from unnest(array['{"p_min_amount": -1}', '{"p_balance": "all"}', '{"p_balance": null}', '{"p_cursor": "x"}']) as a
  ),
  array_fill('PT422 invalid_argument'::text, array[4]),
  'a sign, an unknown balance and a cursor from elsewhere are refused'
);
select is(
  (select r #>> '{list,0,type}' || (r ->> 'next_cursor') from admins as a,
    lateral (select pg_temp.call(a.id, 'get_bill_rows', jsonb_build_object(
    'p_from', '2026-10-05T00:00:00+08:00', 'p_to', '2026-10-06T00:00:00+08:00', 'p_limit', 1, 'p_cursor',
    '2026-10-05T03:05:00.000000Z_' || (select b.id from app.user_bill as b where b.add_time = '2026-10-05T03:05:00Z')
  ))::jsonb as r) as s),
  'points_returned2026-10-05T03:04:00.000000Z_'
    || (select b.id from app.user_bill as b where b.add_time = '2026-10-05T03:04:00Z'),
  'a cursor continues after its row'
);
select is(
  (select array[r ->> 'searched_from' is not null, s ->> 'searched_from' is not null]
   from admins as a, lateral (select pg_temp.call(a.id, 'get_bill_rows', '{"p_type": "brokerage"}')::jsonb as r) as t,
     lateral (select pg_temp.call(a.id, 'get_bill_rows')::jsonb as s) as u),
  '{t,f}',
  'without a period, a type is searched for in the last days, and the answer says since when; all rows are not limited'
);

select * from finish();
rollback;
