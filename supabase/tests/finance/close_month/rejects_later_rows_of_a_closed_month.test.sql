-- Guarantee money/month-closed: A closed month gets no row any more
-- By: a constraint on its partitions, app.forbid_late_rows
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(12);

update app.settings set time_zone = 'Asia/Shanghai';
create temporary table m as select pg_temp.sign_up() as uid, pg_temp.administrator() as finance,
  pg_temp.administrator() as content;
update app.administrators as a set roles = '{content}' from m where a.auth_id = m.content;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
create function pg_temp.write(p_at timestamptz) returns text language plpgsql as $$
begin
  insert into app.user_bill (
    uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
  )
  select m.uid, 'points_returned', 'checkout', 2.5, o.id, 0, 0, 2.5, p_at from m, o;
  return 'accepted';
exception when others then
  return sqlstate || ' ' || sqlerrm;
end
$$;
insert into app.reconcile_runs (started_at, finished_at) values (now(), now());
-- One month in its two partitions by UTC, one in the default partition.
select pg_temp.create_partition('user_bill', '2025-09-01'), pg_temp.create_partition('user_bill', '2025-10-01');
select pg_temp.write('2025-09-30T15:59:59.999Z'), pg_temp.write('2025-09-30T16:00:00Z'),
  pg_temp.write('2025-10-31T15:59:59.999Z'),
  pg_temp.write('2025-10-31T16:00:00Z'), pg_temp.write('2015-01-05T00:00:00Z');

create temporary table c as select pg_temp.call(m.finance, 'close_month', '{"p_month": "2025-10"}')::jsonb as month
  from m;
select is(
  month -> 'sums',
  '[{"type": "points_returned", "source": "checkout", "rows": 2, "brokerage": "0.00", "frozen_points": 0, "available_points": 5}]',
  'a closed month has the sums of its rows'
) from c;
select is(
  month -> 'total', '{"rows": 2, "brokerage": "0.00", "frozen_points": 0, "available_points": 5}',
  'a closed month has the totals of its sums'
)
from c;
select is(
  array(
    select pg_temp.write(v.at)
    from unnest('{2025-09-30T16:00:00Z,2025-10-15T00:00:00Z,2025-10-31T15:59:59.999999Z}'::timestamptz[]) as v (at)
  ),
  array_fill('PT409 month_closed'::text, '{3}'), 'no row can be dated into a closed month'
);
select is(
  array(
    select pg_temp.write(v.at)
    from unnest('{2025-09-30T15:59:59.999999Z,2025-10-31T16:00:00Z}'::timestamptz[]) as v (at)
  ),
  '{accepted,accepted}',
  'the months before and after a closed month accept rows'
);
select is(
  pg_temp.call(finance, 'close_month', '{"p_month": "2025-10"}')::jsonb, (select month from c),
  'closing a month again changes nothing'
)
from m;
select is(
  pg_temp.call(finance, 'close_month', jsonb_build_object('p_month', to_char(app.business_day(now()), 'YYYY-MM'))),
  'PT422 invalid_argument', 'a month that is not over cannot be closed'
)
from m;
select is(
  pg_temp.call(content, 'close_month', '{"p_month": "2025-09"}'), 'PT403 forbidden', 'only finance closes months'
)
from m;

-- The default partition, and a partition that is created later.
select from m, lateral pg_temp.call(m.finance, 'close_month', '{"p_month": "2015-01"}');
select is(
  pg_temp.write('2015-01-06T00:00:00Z'), 'PT409 month_closed', 'the default partition rejects rows of a closed month'
);
select from m, lateral pg_temp.call(m.finance, 'close_month', '{"p_month": "2016-03"}');
select from pg_temp.create_partition('user_bill', '2016-03-01');
select is(
  pg_temp.write('2016-03-06T00:00:00Z'), 'PT409 month_closed',
  'a partition that is created after the month was closed rejects its rows'
);
select is(pg_temp.write('2016-02-06T00:00:00Z'), 'accepted', 'rows of open months are accepted');

select is(
  (
    select jsonb_agg(e ->> 'month')
    from m, jsonb_array_elements(pg_temp.call(m.finance, 'get_months')::jsonb -> 'closed') as e
  ),
  '["2025-10", "2016-03", "2015-01"]',
  'the list has the closed months'
);
select throws_ok(
  $$ update app.closed_months set sums = '[]'
  where month = '2025-10-01' $$, '23001', null, 'closed months are never changed'
);

select * from finish();
rollback;
