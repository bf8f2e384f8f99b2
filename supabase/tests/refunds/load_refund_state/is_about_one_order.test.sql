begin;
\ir ../../support/fixture.psql
select plan(1);

create temporary table o as select n, pg_temp.report(pg_temp.sign_up(), 3) as id from generate_series(1, 2) as n;
create function pg_temp.one_unit(p_order_id bigint) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
  where l.order_id = p_order_id
$$;
-- Of the first order one unit is refunded, a request was refused, and another is open. Of the second order two units
-- are refunded.
select app.refund_order(id, pg_temp.one_unit(id), null, now()) from o, generate_series(1, 2) as t where o.n >= t;
select app.request_refund(id, pg_temp.one_unit(id), '', now()) from o;
select app.refuse_refund(id, now()) from o where n = 1;
select app.request_refund(id, pg_temp.one_unit(id), '', now()) from o where n = 1;
select results_eq(
  'select app.load_refund_state(id) from o order by n',
  $$ values ('{"refund_status": 1, "refunded": "3600.00", "points_left": 0, "requests": 1}'::jsonb),
  ('{"refund_status": 1, "refunded": "7200.00", "points_left": 0, "requests": 1}') $$,
  'the state has what is refunded and requested of the order itself'
);

select * from finish();
rollback;
