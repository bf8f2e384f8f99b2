begin;
\ir ../../support/fixture.psql
select plan(32);

-- An order of four lines, of the second of which one unit of three was refunded.
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as
select (
  app.create_order(
    m.uid,
    (
      select jsonb_agg(jsonb_build_object('product_id', g.tea, 'quantity', n) order by n)
      from goods as g, unnest('{1, 3, 4, 9999}'::integer[]) as n
    ),
    now()
  )
).id
from m;
select app.pay_order(id, 'test', 'one', now()) from o;
create temporary table l as select l.id, row_number() over (order by l.id)::text as n from app.order_lines as l
  join o on o.id = l.order_id;
create temporary table other_order as select pg_temp.buy(uid) as id from m;
create temporary table other as select x.id as line from app.order_lines as x
  join other_order as o on o.id = x.order_id;
-- "L1" in the lines stands for the id of the first line.
create function pg_temp.items(p_lines text, p_with_amounts boolean default false) returns text language plpgsql as $$
declare
  v_lines text := replace(p_lines, 'OTHER', (select line::text from other));
  v_line record;
begin
  for v_line in select l.n, l.id from l loop
    v_lines := replace(v_lines, 'L' || v_line.n, v_line.id::text);
  end loop;
  return (
    select string_agg(
      format('L%s %s', l.n, case when i.quantity > 0 then i.quantity::text else i.amount::text end), ', '
      order by i.place
    )
    from o,
      unnest(
        app.named_refund_items(o.id, v_lines::jsonb, p_with_amounts)
      ) with ordinality as i (line_id, quantity, amount, place)
    join l on l.id = i.line_id
  );
exception when sqlstate 'PT422' then
  return sqlerrm;
end
$$;
select app.refund_order(
  o.id, (select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from l where l.n = '2'), null,
  now()
)
from o;

select is(pg_temp.items(c.lines), c.items, c.sentence) from (values
  ('[{"line_id": L1, "quantity": 1}]', 'L1 1', 'a line'),
    (
      '[{"line_id": L3, "quantity": 4}, {"line_id": L1, "quantity": 1}, {"line_id": L2, "quantity": 2}]',
      'L1 1, L2 2, L3 4', 'several in any sequence, all that is left of them'
    ),
  ('[{"line_id": "L1", "quantity": "1"}]', 'L1 1', 'numbers may be texts'),
  ('[{"line_id": L4, "quantity": 9999}]', 'L4 9999', 'up to 9999 units'),
  ('[{"line_id": L4, "quantity": 10000}]', 'invalid_argument', 'not more'),
  ('[{"line_id": L2, "quantity": 3}]', 'refund_exceeds_order', 'not what was refunded before'),
  (
    '[{"line_id": L1, "quantity": 1}, {"line_id": L3, "quantity": 5}]', 'refund_exceeds_order',
    'not more than there is of one of them'
  ),
  ('[{"line_id": OTHER, "quantity": 1}]', 'refund_exceeds_order', 'not of another order'),
  (
    '[{"line_id": L1, "quantity": 1}, {"line_id": "0L1", "quantity": 1}]', 'invalid_argument',
    'not a line twice, however it is written'
  ),
  ('[{"line_id": L1, "quantity": 0}]', 'invalid_argument', 'not none'),
  ('[{"line_id": L1, "quantity": 1.5}]', 'invalid_argument', 'not a part of a unit'),
  ('[{"quantity": 1}]', 'invalid_argument', 'not of no line'),
  ('[{"line_id": 1234567890123456789, "quantity": 1}]', 'invalid_argument', 'not of a number that no line can have'),
  ('[1]', 'invalid_argument', 'not what is no line'), ('[]', 'invalid_argument', 'not an empty list'),
  ('"L1"', 'invalid_argument', 'not what is no list'),
  (
    (select jsonb_agg('{"line_id": L1, "quantity": 1}'::text) from generate_series(1, 51))::text, 'invalid_argument',
    'not more than 50'
  )
) as c (lines, items, sentence);
-- Amounts, which only administrators name. The second line has 199.80 left.
select is(pg_temp.items(c.lines, true), c.items, c.sentence) from (values
  (
    '[{"line_id": L1, "amount": "1.5"}, {"line_id": L2, "quantity": 1}]', 'L1 1.50, L2 1',
    'of each line an amount or units'
  ),
    ('[{"line_id": L2, "amount": "199.80"}]', 'L2 199.80', 'up to what is left'),
  ('[{"line_id": L2, "amount": 0.01}]', 'L2 0.01', 'numbers are amounts, too'), ('[]', null, 'none, for freight alone'),
  ('[{"line_id": L2, "amount": "199.81"}]', 'refund_exceeds_order', 'not more'),
  ('[{"line_id": OTHER, "amount": "0.01"}]', 'refund_exceeds_order', 'not of another order'),
  ('[{"line_id": L1, "quantity": 1, "amount": "1.00"}]', 'invalid_argument', 'not both'),
  ('[{"line_id": L1}]', 'invalid_argument', 'not neither'),
  ('[{"line_id": L1, "amount": "0.00"}]', 'invalid_argument', 'not an amount of nothing'),
  ('[{"line_id": L1, "amount": "-1.00"}]', 'invalid_argument', 'not less than nothing'),
  ('[{"line_id": L1, "amount": "0.001"}]', 'invalid_argument', 'not a part of a cent'),
  ('[{"line_id": L1, "amount": "1e2"}]', 'invalid_argument', 'not another form of a number'),
  ('[{"line_id": L1, "amount": "99999999999999999999"}]', 'invalid_argument', 'not what no order can cost'),
  ('[{"line_id": L1, "amount": "999999999999.99"}]', 'refund_exceeds_order', 'however much it is')
) as c (lines, items, sentence);
select is(pg_temp.items('[{"line_id": L1, "amount": "1.00"}]'), 'invalid_argument', 'a buyer names units only');

select * from finish();
rollback;
