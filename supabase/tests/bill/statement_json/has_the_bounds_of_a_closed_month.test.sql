-- Guarantee money/month-bounds
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(9);

-- The last eight hours of September and of October in UTC belong to the next month in Shanghai.
update app.settings set time_zone = 'Asia/Shanghai';
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
insert into app.user_bill (
  uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
)
select m.uid, 'points_returned', 'checkout', 1, o.id, 0, 0, r.n, r.at
from m, o,
  unnest(
    '{2025-09-30T15:00:00Z,2025-09-30T22:00:00Z,2025-10-15T00:00:00Z,2025-10-31T22:00:00Z,2025-11-15T00:00:00Z}'::timestamptz[]
  ) with ordinality as r (at, n);
create function pg_temp.statement(p_month text) returns jsonb language sql as $$
  select pg_temp.read(m.uid, 'get_statement', jsonb_build_object('p_month', p_month)) from m
$$;
create temporary table before as select pg_temp.statement('2025-10') as october;
create temporary table closed as select (app.close_month('2025-10', null)).*;
update app.settings set time_zone = 'UTC';

select is(
  pg_temp.statement('2025-10'), october, 'the statement of a closed month stays the same when the time zone changes'
)
from before;
select is((s ->> 'rows')::integer, 2, 'the closed month has the two rows between its bounds')
from closed as c, jsonb_array_elements(c.sums) as s;
select is(pg_temp.statement('2025-10') -> 'sums' -> 0 ->> 'rows', '2', 'and so does the statement');
select is(
  jsonb_array_length(pg_temp.read(uid, 'get_statement_lines', '{"p_month": "2025-10"}') -> 'lines'), 2, 'and its file'
) from m;
select is(
  array[pg_temp.statement('2025-09') ->> 'to', pg_temp.statement('2025-11') ->> 'from'],
  '{2025-09-30T16:00:00.000Z,2025-10-31T16:00:00.000Z}',
  'the months beside it end and begin where it does'
);
select is(
  array[pg_temp.statement('2025-09') -> 'closing' ->> 'available_points',
  pg_temp.statement('2025-11') -> 'opening' ->> 'available_points'],
  '{1,3}',
  'with the balances at these times'
);
select is(
  (
    select sum((pg_temp.statement(l.month) -> 'sums' -> 0 ->> 'rows')::integer)
    from jsonb_array_elements_text(pg_temp.statement('2025-10') -> 'months') as l (month)
  ),
  5::bigint,
  'every row is in one of the listed months'
);
select is(
  array(
    select to_char(app.month_of(t.at), 'YYYY-MM')
    from unnest(
      '{2025-09-30T15:59:59Z,2025-09-30T16:00:00Z,2025-10-31T15:59:59Z,2025-10-31T16:00:00Z}'::timestamptz[]
    ) as t (at)
  ),
  '{2025-09,2025-10,2025-10,2025-11}', 'a time belongs to the month between whose bounds it lies'
);
select app.close_month('2025-11', null), app.close_month('2025-09', null);
select is_empty('select * from app.reconcile_closed_months()', 'the books agree');

select * from finish();
rollback;
