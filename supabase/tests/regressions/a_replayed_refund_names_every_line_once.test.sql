begin;
\ir ../support/fixture.psql
select plan(4);

create temporary table o as select pg_temp.report(pg_temp.sign_up(), 2) as id;
create temporary table l as select jsonb_build_object('line_id', l.id, 'quantity', 2) as named
  from app.order_lines as l, o where l.order_id = o.id;
select app.refund_order(id, jsonb_build_array(named), 'r', now()) from o, l;
select throws_ok(format('select app.refund_order(%s, %L, %L, now())', id, jsonb_build_array(named, named), 'r'),
  'PT409', 'refund_reference_used', 'a list with a repeated line is rejected') from o, l;
select throws_ok(
  format('select app.refund_order(%s, %L, %L, now())', id, '{}', 'r'), 'PT409', 'refund_reference_used',
  'a value that is not a list is not a replay'
)
from o;
select throws_ok(
  format('select app.refund_order(%s, null, %L, now())', id, 'r'), 'PT409', 'refund_reference_used',
  'a refund of all that is left is not a replay'
)
from o;
select lives_ok(
  format('select app.refund_order(%s, %L, %L, now())', id, jsonb_build_array(named), 'r'), 'the same list is a replay'
)
from o, l;

select * from finish();
rollback;
