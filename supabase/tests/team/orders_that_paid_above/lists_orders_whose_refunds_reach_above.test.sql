begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table r as select pg_temp.grade(pg_temp.reporter(), 4) as root;
create temporary table m as select pg_temp.sign_up(root::text) as head from r;
create temporary table n as select pg_temp.sign_up(head::text) as child from m;
-- The head is not at the top grade yet: the root gets the difference in points.
create temporary table o as select pg_temp.report(child, 2) as before from n;
select pg_temp.grade(head, 4) from m;
create temporary table p as select pg_temp.report(child) as since from n;
create temporary table q as select pg_temp.report(head) as own from m;

select set_eq(
  'select app.orders_that_paid_above(head) from m', 'select before from o',
  'an order that gave an ancestor points, and no later one, and none of the member'
);
select is_empty('select app.orders_that_paid_above(root) from r', 'nobody is above a root');
select
from app.refund_order(
  (select before from o),
  (
    select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l, o
    where l.order_id = o.before
  ),
  null, now()
);
select set_eq(
  'select app.orders_that_paid_above(head) from m', 'select before from o',
  'after a refund of a part, the rest still reaches above'
);
select from app.refund_order((select before from o), null, null, now());
select is_empty('select app.orders_that_paid_above(head) from m', 'after the whole is refunded, nothing does');

-- A place that pays nothing can be freed as well.
select from app.create_plan('{"people_per_cycle": 1, "tier_ratios": [0], "brokerage_scope": "umbrella"}', null, now());
select pg_temp.grade(head, 0) from m;
select
from app.set_agent_levels(
  (
    select jsonb_agg(l.value || '{"direct_points": 0, "umbrella_points": 0}')
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now()
);
select app.refund_order(own, null, null, now()) from q;
create temporary table z as select pg_temp.report(child) as free from n;
select is((pg_temp.settlement(free)).earner_uid, root, 'the root has a place, and nothing else') from z, r;
select set_eq('select app.orders_that_paid_above(head) from m', 'select free from z', 'so a refund reaches above');

select * from finish();
rollback;
