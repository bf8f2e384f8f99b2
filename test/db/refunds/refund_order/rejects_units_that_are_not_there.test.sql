begin;
\ir ../../support/fixture.psql
select plan(9);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select pg_temp.buy(a, 2) as id, pg_temp.buy(a) as other, (app.create_order(a, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())).id as unpaid from m, goods as g;
create temporary table l as select (select min(id) from app.order_lines where order_id = o.id) as own, (select min(id) from app.order_lines where order_id = o.other) as foreign_line from o;
select throws_ok(format('select app.refund_order(%s, %L, null, now())', o.id, replace(replace(c.lines, 'OWN', l.own::text), 'FOREIGN', l.foreign_line::text)), 'PT422', c.code, c.sentence)
from o, l, (values
  ('[]', 'invalid_argument', 'no lines'), ('{}', 'invalid_argument', 'no list'), ('[{"line_id": OWN}]', 'invalid_argument', 'no quantity'),
  ('[{"line_id": OWN, "quantity": 0}]', 'invalid_argument', 'no units'),
  ('[{"line_id": OWN, "quantity": 1}, {"line_id": OWN, "quantity": 1}]', 'invalid_argument', 'a line twice'),
  ('[{"line_id": OWN, "quantity": 3}]', 'refund_exceeds_order', 'more units than bought'),
  ('[{"line_id": FOREIGN, "quantity": 1}]', 'refund_exceeds_order', 'a line of another order')
) as c (lines, code, sentence);
select throws_ok('select app.refund_order(unpaid, null, null, now()) from o', 'PT409', 'order_state_conflict', 'an unpaid order');
select throws_ok('select app.refund_order(0, null, null, now())', 'PT404', 'order_not_found', 'an unknown order');

select * from finish();
rollback;
