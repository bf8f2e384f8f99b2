begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(11);

grant store_api to postgres;
create temporary table m as select pg_temp.give_points(pg_temp.sign_up(), 80.8) as a, pg_temp.sign_up() as poor;
create temporary table p as select pg_temp.product(9.99) as tea, pg_temp.product(20) as cup,
  pg_temp.product(0.01) as pin;
create function pg_temp.preview(
  p_uid bigint, p_items bigint[], p_use_points numeric default null
) returns jsonb language sql as $$
  select pg_temp.read(
    p_uid, 'preview_order', jsonb_build_object('p_items', pg_temp.items(p_items), 'p_use_points', p_use_points)
  )
$$;

create temporary table v as select pg_temp.preview(a, array[[tea, 3], [cup, 1]], 30) as preview from m, p;
select is(
  preview -> 'points', '{"available": 80.8, "usable": 24.98, "pays": "24.98", "reason": null}',
  'a preview states how many points can be used'
)
from v;
select
  is(concat_ws(' ', preview ->> 'paid_by_points', preview ->> 'points_spent', preview ->> 'pay_price',
  preview #>> '{lines,0,paid_by_points}', preview #>> '{lines,0,paid}'),
  '24.98 24.98 24.99 14.98 14.99', 'a preview states what the points to use pay') from v;
select is(
  pg_temp.preview(a, array[[tea, 3], [cup, 1]]) ->> 'pay_price', '49.97',
  'a preview without points to use has the price in money'
)
from m, p;
select is(pg_temp.available(a), 80.8000, 'a preview takes no points') from m;
select is(
  (
    app.create_order(
      a, pg_temp.items(array[[tea, 3], [cup, 1]]), now(), p_expected_price => (preview ->> 'pay_price')::numeric,
      p_use_points => 30
    )
  ).pay_price,
  24.99, 'an order costs what its preview said'
)
from m, p, v;

create function pg_temp.reason(p_uid bigint, p_product bigint) returns text language sql as $$ select pg_temp.preview(
  p_uid, array[[p_product, 1]], 10
) #>> '{points,reason}' $$;
select is(pg_temp.reason(a, flagship), 'only_queue_goods', 'points cannot be used for queue goods') from m, goods;
select is(pg_temp.reason(poor, cup), 'no_points', 'points cannot be used by a member without any') from m, p;
select is(pg_temp.reason(a, pin), 'price_too_low', 'points cannot be used if the share of the price is no cent')
from m, p;
update app.user_balances as b set available_points = -3 from m where b.uid = m.poor;
select is(
  pg_temp.preview(poor, array[[cup, 1]], 5) -> 'points',
  '{"available": -3, "usable": 0, "pays": "0.00", "reason": "no_points"}',
  'points cannot be used while the balance is negative'
)
from m, p;
select app.set_settings('{"points_max_share": 0}', now());
select is(pg_temp.reason(a, cup), 'off', 'points cannot be used while payment by points is off') from m, p;
select matches(pg_temp.attempt('store_api',
  format(
    'select app.as_caller(%L, %L, %L)', jsonb_build_object('role', 'authenticated', 'sub', u.auth_id), 'preview_order',
    jsonb_build_object('p_items', pg_temp.items(array[[p.cup, 1]]), 'p_use_points', -1)
  )),
  'PT422 invalid_argument', 'a preview rejects a negative number of points') from m
    join app.users as u on u.uid = m.a, p;

select * from finish();
rollback;
