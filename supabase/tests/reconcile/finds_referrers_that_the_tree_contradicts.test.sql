-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(13);

-- buyer has an order that pays a; early and corrected have orders from before they had their referrer.
create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as b, pg_temp.sign_up() as early;
create temporary table n as select pg_temp.sign_up(a::text) as buyer, pg_temp.sign_up(a::text) as corrected from m;
create temporary table o as select pg_temp.report(buyer) as id, pg_temp.buy(early) as before_a,
  pg_temp.buy(corrected) as before_b
  from m, n;
select app.bind_spread(early, a, now()), app.set_spread(corrected, b, 'Test', null, now()) from m, n;
select app.settle_order(before_a, now()), app.settle_order(before_b, now()) from o;
create temporary table known as select check_name, subject from app.reconcile();

-- The findings of this check alone, as it follows the sequence of the rules.
create function pg_temp.after(p_forgery text) returns text language plpgsql as $$
declare
  v_found text;
begin
  execute p_forgery;
  v_found := coalesce(
    (
      select string_agg(concat_ws(' | ', r.check_name, r.subject, r.expected, r.actual), '; ')
      from app.reconcile_referrers() as r
    ),
    'nothing'
  );
  raise exception using errcode = 'PV000', message = v_found;
exception when sqlstate 'PV000' then
  return sqlerrm;
end
$$;

select is(
  pg_temp.after('select'), 'nothing',
  'an order from before its buyer had a referrer, and one with a corrected referrer, are as they should be'
);
select is(
  (select settled.reason from o, pg_temp.settlement(before_a) as settled), 'no_referrer',
  'the first of them pays nobody'
);
select is(
  (select settled.earner_uid from o, pg_temp.settlement(before_b) as settled), b, 'the second pays the new referrer'
)
from m;

select matches(pg_temp.found(d.forgery), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  (
    'update app.users set spread_uid = (select b from m) where uid = (select buyer from n)',
    'settlement_names_the_referrer_of_its_buyer', 'a buyer who was moved below somebody else after the settlement'
  ),
  (
    'update app.users set spread_uid = null, spread_time = null where uid = (select buyer from n)',
    'settlement_names_the_referrer_of_its_buyer', 'a buyer who lost the referrer'
  ),
  ('update app.orders set referrer_uid = (select b from m) where id = (select id from o); update app.settlements set referrer_uid = (select b from m) where order_id = (select id from o)',
   'settlement_names_the_referrer_of_its_buyer', 'an order and a settlement that both name somebody else'),
  (
    'update app.settlements set earner_uid = (select b from m), cycle_no = 9 where order_id = (select id from o)',
    'earner_of_scope_direct_is_the_referrer', 'an earner who is not the referrer, with scope direct'
  )
) as d (forgery, check_name, sentence);
select is(
  pg_temp.after('update app.users set spread_uid = (select b from m) where uid = (select buyer from n)'),
  format('settlement_names_the_referrer_of_its_buyer | order %s | uid %s | uid %s', o.id, m.b, m.a),
  'the finding says whom the tree has, and whom the settlement names'
) from o, m;
select is(
  pg_temp.after($$ update app.settlements set state = 'refunded', reason = 'refunded', earner_uid = null,
  eligible_since = null, cycle_no = null, place = null, cycle_plan_version = null, ratio = null, rate = null,
  commission = 0, commission_points = 0
  where order_id = (select id from o);
    update app.users set spread_uid = (select b from m) where uid = (select buyer from n) $$),
  format('settlement_names_the_referrer_of_its_buyer | order %s | uid %s | uid %s', o.id, m.b, m.a),
  'so does an order that was refunded before its settlement'
) from o, m;

-- What says nothing about the tree of now.
select is(
  pg_temp.after(
    $$ update app.settlements set state = 'imported', reason = 'imported', earner_uid = null, eligible_since = null,
    cycle_no = null, place = null, cycle_plan_version = null, ratio = null, rate = null, commission = 0,
    commission_points = 0, referrer_uid = (select b from m)
    where order_id = (select id from o) $$
  ),
  'nothing', 'an imported order may name the referrer of then'
);
select is(
  pg_temp.after(
    'select pg_temp.buy(buyer) from n; update app.orders set referrer_uid = (select b from m) where state = ''paid'' and id not in (select order_id from app.settlements)'
  ),
  'nothing', 'an order that waits may name a referrer of its own'
);
select is(
  pg_temp.after(
    'update app.rule_versions set position = (select max(position) + 1 from app.settlements) where version = 2; update app.users set spread_uid = (select b from m) where uid = (select buyer from n)'
  ),
  'nothing', 'before the rules of 2.0.0, a referrer may have been corrected by hand'
);
select is(
  pg_temp.after(
    'update app.rule_versions set position = s.position from app.settlements as s, o where version = 2 and s.order_id = o.id; update app.users set spread_uid = (select b from m) where uid = (select buyer from n)'
  ),
  format('settlement_names_the_referrer_of_its_buyer | order %s | uid %s | uid %s', o.id, m.b, m.a),
  'from their position on, not'
) from o, m;

select * from finish();
rollback;
