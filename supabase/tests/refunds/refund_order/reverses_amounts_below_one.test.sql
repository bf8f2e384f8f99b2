begin;
\ir ../../support/fixture.psql
select plan(2);

update app.products set price = 2 where id = (select flagship from goods);
select app.set_agent_levels((
  select jsonb_agg(
    l
    || case
      when (l ->> 'grade')::integer > 0 then '{"direct_points": 0.5, "umbrella_points": 0.5}'
      else '{"direct_points": 0, "umbrella_points": 0}'::jsonb
    end
  )
  from jsonb_array_elements(app.levels_json()) as l
), null, now());
create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up(a::text)) as id from m;
select app.refund_order(id, null, null, now()) from o;
select results_eq(
  'select l.type, l.source, l.brokerage_delta, l.frozen_delta from app.user_bill as l join o on o.id = l.order_id order by l.id',
  $$ values ('brokerage', 'cycle', 0.40, 0.0000), ('frozen_points_brokerage', 'cycle', 0.00, 0.4000),
  ('frozen_points_brokerage', 'direct', 0.00, 0.5000),
    ('brokerage_reversal', 'cycle', -0.40, 0.0000), ('frozen_points_reversal', 'cycle', 0.00, -0.4000),
    ('frozen_points_reversal', 'direct', 0.00, -0.5000) $$,
  'amounts below one are granted, and reversed'
);
select is(
  (select x.amount_left from app.commission_maturities as x join o on o.id = x.order_id), 0.00,
  'nothing is left to mature'
);

select * from finish();
rollback;
