begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(15);

create temporary table a as select pg_temp.administrator() as id;
create temporary table o as
select n, x.id, null::text as no
from (select pg_temp.sign_up() as buyer) as m cross join generate_series(1, 3) as n
cross join lateral (select pg_temp.buy(m.buyer) as id where n > 0) as x;
update o set no = q.order_no from app.orders as q where q.id = o.id;
create function pg_temp.lines(p_numbers text[]) returns jsonb language sql as $$
  select jsonb_build_object(
    'p_lines',
    jsonb_agg(
      jsonb_build_object('line', o.n + 1, 'order_no', o.no, 'carrier', '顺丰', 'tracking_no', p_numbers[o.n]) order by o.n
    )
  )
  from o
$$;
create function pg_temp.ship(p_function text, p_args jsonb) returns jsonb language plpgsql as $$
declare v_answer text := pg_temp.call((select id from a), p_function, p_args); begin
  return case when v_answer like '{%' then v_answer::jsonb else to_jsonb(v_answer) end;
end $$;
create function pg_temp.results(p_answer jsonb) returns text language sql as $$
  select string_agg(coalesce(l ->> 'problem', l ->> 'result'), ' ' order by (l ->> 'line')::integer)
  from jsonb_array_elements(p_answer -> 'lines') as l
$$;

select is(
  pg_temp.results(pg_temp.ship('preview_shipping', pg_temp.lines('{A10001, B10001, ""}'))),
  'fits fits no_tracking_number', 'a preview says what each line does'
);
select is((select count(*) from app.parcels), 0::bigint, 'and writes nothing');
select is(
  pg_temp.results(pg_temp.ship('ship_orders', pg_temp.lines('{A10001, B10001, ""}'))), 'fits fits no_tracking_number',
  'a line that does not fit stops no other'
);
select results_eq(
  'select o.n, q.state, l.carrier, l.carrier_code, l.tracking_no, l.shipped_by = a.id, l.shipped_at = q.delivered_at from a, o join app.orders as q on q.id = o.id left join app.parcels as l on l.order_id = o.id order by o.n',
  $$ values (1, 'delivered', '顺丰速运', 'SF', 'A10001', true, true), (2, 'delivered', '顺丰速运', 'SF', 'B10001', true, true),
  (3, 'paid', null, null, null, null, null) $$,
  'each order has its parcel, with carrier, number, time and administrator'
);
select set_eq(
  $$ select e.subject_id from app.events as e
  where e.type = 'order.shipped' $$, 'select id from o where n < 3', 'each shipment is told'
);
select results_eq(
  $$ select x.target_id::bigint, x.from_value, x.to_value from app.admin_actions as x where x.function = 'ship_orders'
  order by 1 $$,
  $$ select id, '{"state": "paid", "carrier": null, "tracking_no": null}'::jsonb,
  jsonb_build_object('state', 'delivered', 'carrier', '顺丰速运', 'tracking_no', chr(64 + n) || '10001')
  from o where n < 3 order by id $$,
  'and recorded with the order'
);
select is(
  pg_temp.results(pg_temp.ship('ship_orders', pg_temp.lines('{A10001, B10001, ""}'))),
  'unchanged unchanged no_tracking_number', 'a repeated file changes nothing'
);
select is((select count(*) from app.parcels), 2::bigint, 'and adds no parcel');
select is(
  (select count(*) from app.events where type in ('order.shipped', 'order.parcel_added')), 2::bigint, 'and no event'
);
select is(
  pg_temp.ship('ship_orders', pg_temp.lines('{X10001, Y10001, ""}')) #>> '{}', 'PT409 order_state_conflict',
  'a file of which no line fits is rejected'
);
select is(
  pg_temp.ship('ship_orders', '{"p_lines": []}') #>> '{}'
  || (pg_temp.ship('preview_shipping', '{"p_lines": [{"line": 0}]}') #>> '{}')
    || (
      pg_temp.ship(
        'ship_orders',
        jsonb_build_object(
          'p_lines', (select jsonb_agg(jsonb_build_object('line', n)) from generate_series(1, 501) as n)
        )
      ) #>> '{}'
    ),
  'PT422 invalid_argumentPT422 invalid_argumentPT422 invalid_argument',
  'no lines, a line without its number, or more than 500 are rejected'
);
create function pg_temp.two(p_first text, p_second text) returns jsonb language sql as $$
  select jsonb_build_object(
    'p_lines',
    jsonb_agg(
      jsonb_build_object('line', v.line, 'order_no', o.no, 'carrier', 'SF', 'tracking_no', v.number) order by v.line
    )
  )
  from o cross join (values (2, p_first), (3, p_second), (4, p_first)) as v (line, number) where o.n = 3
$$;
select is(
  pg_temp.results(pg_temp.ship('ship_orders', pg_temp.two('Z10001', 'Y10001'))), 'fits fits unchanged',
  'an order gets each parcel of a file once'
);
select results_eq(
  'select l.tracking_no from app.parcels as l join o on o.id = l.order_id where o.n = 3 order by l.id',
  $$ values ('Z10001'), ('Y10001') $$, 'in the sequence of its lines'
);
select results_eq(
  'select e.type from app.events as e join o on o.id = e.subject_id where o.n = 3 and e.type in (''order.shipped'', ''order.parcel_added'') order by e.id',
  $$ values ('order.shipped'), ('order.parcel_added') $$, 'the first parcel ships it, the second is added'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
