begin;
\ir ../../support/fixture.psql
select plan(5);

-- Three teas of 99.90 and a flagship.
create temporary table o as
select (app.create_order(pg_temp.sign_up(), (
  select jsonb_build_array(
    jsonb_build_object('product_id', g.tea, 'quantity', 3), jsonb_build_object('product_id', g.flagship, 'quantity', 1)
  )
  from goods as g
), now())).id;
select app.pay_order(id, 'test', 'one', now()) from o;
create function pg_temp.check(p_items text) returns text language plpgsql as $$
declare
  v_detail text;
begin
  perform app.check_refund_items(o.id, array(
    select (
      (
        select l.id from app.order_lines as l where l.order_id = o.id and l.is_queue_goods = (i ->> 'line' = 'flagship')
      ),
      (i ->> 'quantity')::integer, (i ->> 'amount')::numeric
    )::app.refund_item
    from jsonb_array_elements(p_items::jsonb) as i
  )) from o;
  return 'as it should be';
exception when sqlstate 'PT422' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end
$$;
select is(
  pg_temp.check(
    '[{"line": "tea", "quantity": 3, "amount": 0}, {"line": "flagship", "quantity": 0, "amount": 3599.99}]'
  ),
  'as it should be', 'units, and an amount that leaves a cent'
);
select matches(
  pg_temp.check(
    '[{"line": "tea", "quantity": 4, "amount": 0}, {"line": "flagship", "quantity": 0, "amount": 3600.01}]'
  ),
  'units that the order does not have', 'too many units are named first'
);
select matches(
  pg_temp.check('[{"line": "flagship", "quantity": 0, "amount": 3600.01}]'), 'more of a line than is left',
  'then too much of a line'
);
select matches(
  pg_temp.check('[{"line": "flagship", "quantity": 0, "amount": 3600.00}]'), 'at least 0.01 of a line',
  'then everything of queue goods'
);
select is(
  pg_temp.check('[{"line": "tea", "quantity": 0, "amount": 299.70}]'), 'as it should be',
  'other goods may lose everything'
);

select * from finish();
rollback;
