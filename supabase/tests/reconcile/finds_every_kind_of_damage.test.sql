-- Guarantee money/damage: Damage to the records is found
-- By: everything is computed again from its records, app.reconcile_checks
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(26);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id,
  pg_temp.buy(pg_temp.sign_up((select a::text from m))) as waiting;
select app.release_members(app.business_day(now()), array[(select a from m)], now());
insert into app.release_runs (
  release_date, started_at, finished_at, users, points
) values (app.business_day(now()), now(), now(), 1, 0.5760);
create temporary table line as select l.id from app.order_lines as l join o on o.id = l.order_id;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', line.id, 'quantity', 1)), null, now())
from o, line;
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select k.* from known as k
  where k.subject in (
    select format('uid %s', a) from m union select format('order %s', n.id)
    from o, lateral (values (o.id), (o.waiting)) as n (id) union select format('business day %s', app.business_day(now()))
  ) $$,
  'before the damage, there are no findings'
);

select matches(pg_temp.found(d.damage), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  (
    'update app.user_balances set total_places = 7 where uid = (select a from m)', 'places_equal_settlements',
    'a wrong sum of places'
  ),
  (
    'insert into app.settlement_jobs (order_id, run_after, created_at) select id, now(), now() from o',
    'settled_order_has_no_job', 'a job of a settled order'
  ),
  (
    'update app.release_runs set points = 1', 'release_run_equals_log',
    'a run that does not equal its log'
  ),
  (
    'update app.release_runs set finished_at = null, failures = 1, last_error = ''uid 1: poisoned'', release_date = ''2026-01-02''',
    'release_day_is_finished', 'a day that is not finished'
  ),
  (
    'insert into app.release_ranges (release_date, last_uid, after_uid, users, points) values (app.business_day(now()), 100, 100, 1, 0.5)',
    'release_ranges_equal_their_day', 'ranges of another sum than their day'
  ),
  (
    'update app.user_bill set basis = basis + 0.0001 where order_id = (select id from o) and type = ''brokerage''',
    'grant_is_of_its_settlement', 'commission of another base than its settlement'
  ),
  (
    'update app.user_bill set basis = basis + 0.0001 where order_id = (select id from o) and type = ''frozen_points_brokerage'' and source = ''cycle''',
    'grant_is_of_its_settlement', 'commission points of another commission'
  ),
  (
    'update app.user_bill set rate = 1.00001 where order_id = (select id from o) and type = ''frozen_points_brokerage'' and source = ''cycle''',
    'grant_is_of_its_settlement', 'commission points at another rate than that of the plan'
  ),
  (
    'update app.commission_maturities set is_announced = true where order_id = (select id from o)',
    'maturity_is_announced_when_it_comes', 'commission that was announced before its receipt'
  ),
  (
    'update app.settlements set order_plan_version = (select c.version from app.create_plan(''{"brokerage_timing": "confirm"}'', null, now()) as c) where order_id = (select id from o)',
    'settlement_waits_for_the_receipt', 'a settlement before a receipt that its plan requires'
  ),
  (
    'update app.settlement_jobs set state = ''dead'', attempts = 8, last_error = ''22003: overflow'' where order_id = (select waiting from o)',
    'job_is_not_dead', 'an order whose settlement failed for good'
  ),
  (
    'update app.release_runs set release_date = app.business_day(now()) + 10',
    'release_day_has_come', 'a day released before it has come'
  ),
  (
    'update app.settlement_jobs set created_at = now() + interval ''10 days'' where order_id = (select waiting from o)',
    'job_is_not_from_the_future', 'a job that waits for a day that never came'
  ),
  ('insert into app.user_bill (uid, type, source, frozen_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, add_time)
    select m.a, ''frozen_points_brokerage'', ''cycle'', 5, 0, 5, 0, o.id, 5, 1, clock_timestamp() + interval ''6 minutes'' from m, o', 'no_row_is_from_the_future', 'a row of the bill from the future'),
  (
    'update app.settlement_jobs set created_at = now() - interval ''121 minutes'' where order_id = (select waiting from o)',
    'job_is_not_late', 'an order that has waited for hours'
  ),
  (
    'update app.order_lines set refunded_quantity = 0 where id = (select id from line)', 'refunded_units_equal_refunds',
    'units refunded without a refund'
  ),
  (
    'update app.orders set queue_base = 7200, queue_units = 2 where id = (select id from o)',
    'queue_goods_left_equal_lines', 'queue goods that the lines do not have'
  ),
  (
    'update app.user_balances set own_orders = 9 where uid = (select a from m)', 'own_orders_equal_recount',
    'a wrong count of own orders'
  ),
  (
    'update app.user_balances set available_points = available_points + 1, frozen_points = frozen_points - 1 where uid = (select a from m)',
    'balance_equals_last_bill_row', 'points that moved without a row'
  ),
  (
    'insert into app.imports (form, source_hash, started_at) values (''neutral'', repeat(''0'', 64), now())',
    'import_is_finished', 'an import that was stopped'
  ),
  (
    'insert into app.article_pool (cid, slot, article_id) values (900001, 2, 900001)',
    'article_pool_has_no_gap article_pool_holds_what_may_be_read',
    'an article in the pool that is none, with a gap before it'
  ),
  ('insert into app.user_bill (uid, type, source, frozen_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, add_time)
    select m.a, ''frozen_points_brokerage'', ''cycle'', 5, 0, 5, 0, o.id, 2, 2, now() from m, o', 'amount_is_basis_times_rate', 'an amount that its basis and rate do not give'),
  (
    'update app.refunds set amount = amount + 1 where order_id = (select id from o)', 'refund_pays_its_lines',
    'a refund of more than its units cost'
  ),
  (
    'update app.refunds set amount = amount + 1, freight = 1 where order_id = (select id from o)',
    'refunds_are_within_the_price', 'freight refunded that nobody paid'
  ),
  (
    'update app.refund_lines set quantity = 0, concession = 3600 where line_id = (select id from line)',
    'queue_goods_left_equal_lines refunded_units_equal_refunds', 'units that became an amount'
  )
) as d (damage, check_name, sentence);

select * from finish();
rollback;
