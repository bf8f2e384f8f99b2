begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(6);

create temporary table admins as select pg_temp.administrator() as id;
create temporary table o as
select row_number() over (order by b.id) as n, b.id from (
  select pg_temp.buy(m.uid) as id from (select pg_temp.sign_up() as uid) as m cross join generate_series(1, 4)
  union all
  select (
    app.create_order(
      pg_temp.sign_up(),
      (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)) from goods as g), now()
    )
  ).id
) as b;
-- The third was shipped before, the fourth is refunded, the fifth is not paid.
select from app.deliver_order((select id from o where n = 3), now(), 'SF', 'SF1003');
select from app.refund_order((select id from o where n = 4), null, 'r', now());

create function pg_temp.ship(p_ids bigint[], p_carrier text default null) returns text language sql as $$
  select case when c like '{%' then (
      select string_agg(concat_ws(' ', o.n, l.e ->> 'result', l.e ->> 'problem'), ', ' order by l.place)
      from jsonb_array_elements(c::jsonb -> 'lines') with ordinality as l (e, place)
      left join o on o.id = (l.e ->> 'id')::bigint
    ) else c end
  from (
    select pg_temp.call(a.id, 'deliver_orders', jsonb_build_object('p_ids', p_ids, 'p_carrier', p_carrier)) as c
    from admins as a
  ) as s
$$;

select is(
  pg_temp.ship(array(select id from o order by id) || 999999999::bigint, '自送'),
  '1 shipped, 2 shipped, 3 unchanged, 4 rejected order_state_conflict, 5 rejected order_state_conflict, rejected order_not_found',
  'each has its result'
);
select results_eq('select o.n, q.state from o join app.orders as q on q.id = o.id order by o.n',
  $$ values (1::bigint, 'delivered'::text), (2, 'delivered'), (3, 'delivered'), (4, 'paid'), (5, 'unpaid') $$,
  'and those that fit are shipped');
select results_eq('select o.n, p.carrier, p.tracking_no from o join app.parcels as p on p.order_id = o.id order by o.n',
  $$ values (1::bigint, '自送'::text, null::text), (2, '自送', null), (3, 'SF', 'SF1003') $$,
  'with the carrier, while a parcel from before stays');
select is(
  (select array_agg(a.target_id::bigint order by a.id) from app.admin_actions as a where a.function = 'deliver_orders'),
  (select array_agg(id order by id) from o where n < 4), 'the action log has each of them'
);
select is(
  pg_temp.ship(array(select id from o where n in (1, 3))), '1 unchanged, 3 unchanged', 'a repetition changes nothing'
);
select is(
  pg_temp.ship(array(select id from o where n > 3)), 'PT409 order_state_conflict',
  'if none can be shipped, nothing is answered but the error'
);

select * from finish();
rollback;
