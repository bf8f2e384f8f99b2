begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(9);

-- Months in the time zone of the store: a row at 15:59 UTC on the last day of September belongs to September, one at
-- 16:00 to October.
update app.settings set time_zone = 'Asia/Shanghai';
create temporary table m as select pg_temp.sign_up() as uid;
create function pg_temp.earn(p_points numeric, p_at timestamptz) returns void language sql as $$
  with b as (
    update app.user_balances set frozen_points = frozen_points + p_points,
    total_points_earned = total_points_earned + p_points
    where uid = (select uid from m) returning *
  )
  insert into app.user_bill (
    uid, type, source, frozen_delta, order_id, basis, rate, brokerage_after, frozen_after, available_after, add_time
  )
  select b.uid, 'frozen_points_brokerage', 'direct', p_points, o.id, p_points, 1, 0, b.frozen_points, 0, p_at
  from b cross join lateral (select pg_temp.buy(b.uid) as id) as o
$$;
select from pg_temp.earn(10, '2026-09-30T15:59:59.999Z');
select from pg_temp.earn(20, '2026-09-30T16:00:00Z');
select from pg_temp.earn(30.5, '2026-10-31T15:59:59Z');
select from pg_temp.earn(40, '2026-12-01T00:00:00Z');
create temporary table s as select pg_temp.read(
  (select uid from m), 'get_statement', jsonb_build_object('p_month', '2026-10')
) as october;

select is(
  october -> 'opening', '{"brokerage_price": "0.00", "frozen_points": 10, "available_points": 0}',
  'the opening balances are those after the last row before the month'
)
from s;
select is(
  october -> 'closing', '{"brokerage_price": "0.00", "frozen_points": 60.5, "available_points": 0}',
  'the closing balances are those after its last row'
)
from s;
select is(
  october -> 'sums',
  '[{"type": "frozen_points_brokerage", "source": "direct", "rows": 2, "brokerage": "0.00", "frozen_points": 50.5, "available_points": 0}]',
  'the sums lie between them'
) from s;
select is(october -> 'months', '["2026-12", "2026-10", "2026-09"]', 'the months with rows, the newest first') from s;
select is(
  array[october ->> 'from', october ->> 'to'], '{2026-09-30T16:00:00.000Z,2026-10-31T16:00:00.000Z}',
  'the month is one of the store''s time zone'
)
from s;
select is(
  pg_temp.read((select uid from m), 'get_statement', '{"p_month": "2026-11"}') - 'months' - 'tax',
  '{"month": "2026-11", "from": "2026-10-31T16:00:00.000Z", "to": "2026-11-30T16:00:00.000Z", "sums": [],
    "opening": {"brokerage_price": "0.00", "frozen_points": 60.5, "available_points": 0},
    "closing": {"brokerage_price": "0.00", "frozen_points": 60.5, "available_points": 0}, "seal": null}',
  'a month without rows carries the balances over'
);
select is(
  pg_temp.read(pg_temp.sign_up(), 'get_statement', '{"p_month": "2026-10"}') -> 'months', '[]',
  'nobody sees the rows of others'
);
select is(
  pg_temp.call(
    pg_temp.administrator(), 'admin_get_statement',
    jsonb_build_object('p_uid', (select uid from m), 'p_month', '2026-10')
  )::jsonb,
  (select october from s),
  'an administrator sees the same'
);
select is(
  array(select pg_temp.call((select u.auth_id from app.users as u, m where u.uid = m.uid), 'get_statement',
  jsonb_build_object('p_month', v.month), 'authenticated')
    from unnest('{2026-13,2026-1,1999-12,10000-01,2026-10-01}'::text[]) as v (month)),
  array_fill('PT422 invalid_argument'::text, '{5}'), 'a month is written as YYYY-MM'
);

select * from finish();
rollback;
