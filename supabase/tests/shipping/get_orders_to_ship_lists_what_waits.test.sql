begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(9);

create temporary table a as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.sign_up() as one, pg_temp.sign_up() as two;
create temporary table o as
select pg_temp.buy(m.one, 1, '2026-01-02') as late, pg_temp.buy(m.two, 2, '2026-01-01') as early,
  pg_temp.buy(m.one) as shipped, pg_temp.buy(m.one) as refunded, pg_temp.buy(m.one, 2) as asking,
  (
    app.create_order(
      m.one, (select jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)) from goods as g), now()
    )
  ).id as unpaid
from m;
select app.deliver_order(shipped, now()), app.refund_order(refunded, null, null, now()),
  app.request_refund(asking, null, '', now())
from o;
create function pg_temp.listed(p_args jsonb default '{}') returns bigint[] language sql as $$
  select array(
    select (l ->> 'id')::bigint
    from jsonb_array_elements(
      pg_temp.call(a.id, 'get_orders_to_ship', p_args)::jsonb -> 'list'
    ) with ordinality as e (l, n)
    order by n
  )
  from a
$$;

select is(
  pg_temp.listed(), array[early, late, asking],
  'orders that are paid, not refunded and not shipped, in the sequence of payment'
)
from o;
select is(pg_temp.listed(jsonb_build_object('p_uid', m.two)), array[early], 'of a buyer') from o, m;
select is(pg_temp.listed('{"p_refund_status": 1}'), array[asking], 'with a refund request') from o;
select is(pg_temp.listed('{"p_from": "2026-01-02", "p_to": "2026-01-03"}'), array[late], 'paid in a period') from o;
select is(pg_temp.listed(jsonb_build_object('p_product_id', g.flagship)), array[early, late, asking], 'with a product')
from o, goods as g;
select is(pg_temp.listed(jsonb_build_object('p_product_id', g.tea)), '{}', 'and without it none') from goods as g;
select is(pg_temp.listed(jsonb_build_object('p_search', late::text)), array[late], 'found as in the list of orders')
from o;
select is(pg_temp.listed('{"p_limit": 1, "p_page": 2}'), array[late], 'by pages') from o;

update app.orders set address
  = '{"name": "林", "phone": "+86 138-0000 0000", "region": ["广东省", "深圳市", "南山区", "粤海街道"], "street": "科技路 1 号"}'
where id = (select early from o);
select is(
  (
    pg_temp.call(
      a.id, 'get_shipping_rows', jsonb_build_object('p_ids', jsonb_build_array(early, shipped, refunded, unpaid))
    )::jsonb -> 'lines'
  )
    @> jsonb_build_array(
      jsonb_build_object(
        'name', '林', 'phone', '13800000000', 'province', '广东省', 'city', '深圳市', 'district', '南山区 粤海街道', 'goods',
        'Flagship x2', 'units', '2'
      )
    )
  and jsonb_array_length(
    pg_temp.call(
      a.id, 'get_shipping_rows', jsonb_build_object('p_ids', jsonb_build_array(early, shipped, refunded, unpaid))
    )::jsonb -> 'lines'
  ) = 2,
  true, 'a file for the carrier has those of the chosen orders that are paid or shipped and not refunded'
) from o, a;

select * from finish();
rollback;
