-- Guarantee money/reconcile-closed-months: The nightly reconciliation reads closed months once and still finds every
-- changed balance
-- By: their sums are carried, app.carry_balances
begin;
\ir ../../support/fixture.psql
\ir ../../support/forgery.psql
select plan(17);

-- A referrer and two orders of October 2025 that pay them, an adjustment and a release; then the month is closed.
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table old (n integer, id bigint);
do $$
begin
  perform pg_temp.report((select uid from m), 1, '2025-10-03T00:00:00Z');
  for k in 1..2 loop
    insert into old select k, pg_temp.report(pg_temp.sign_up((select uid::text from m)), 1, '2025-10-05T00:00:00Z');
  end loop;
end $$;
select app.begin_release('2025-10-06', false, '2025-10-06T01:00:00Z');
select app.release_chunk('2025-10-06', array(select uid from m), '2025-10-06T01:00:00Z');
select app.end_release('2025-10-06', 0, '2025-10-06T01:00:00Z');
select from app.close_month('2025-10', null);

-- A nightly reconciliation in slices of p_batch: what it found, as the sample says it, and until when it carries.
create function pg_temp.night(p_batch integer default 1000) returns jsonb language plpgsql as $$
declare
  v_id bigint := app.begin_reconcile(0);
begin
  while app.reconcile_slice(v_id, p_batch) loop end loop;
  return (
    select jsonb_build_object(
      'found',
      (select coalesce(jsonb_agg(f ->> 'check_name' order by f::text), '[]') from jsonb_array_elements(r.sample) as f),
      'since', r.since, 'until', r.carried_until
    )
    from app.reconcile_runs as r where r.id = v_id and r.finished_at is not null
  );
end $$;
create function pg_temp.found_at_night(p_forgery text, p_batch integer default 1000) returns text language plpgsql as $$
declare
  v_found text;
begin
  begin
    execute p_forgery;
    v_found := pg_temp.night(p_batch) ->> 'found';
    raise exception using errcode = 'PV000', message = 'undo';
  exception when sqlstate 'PV000' then
    return v_found;
  end;
end $$;
create temporary table known as select check_name, subject from app.reconcile();

select is_empty('select * from known', 'the store is undamaged');
select is(
  pg_temp.found_at_night(
    $f$ update app.user_balances set available_points = available_points + 1 where uid = (select uid from m) $f$
  )::jsonb ? 'balance_equals_bill',
  true,
  'the first night reads everything'
);
do $$
begin
  update app.user_balances set available_points = available_points + 1 where uid = (select uid from m);
  perform pg_temp.night();
  update app.user_balances set available_points = available_points - 1 where uid = (select uid from m);
end $$;
select is(
  (app.carried_until(), (select count(*) from app.carried_balances)), ('-infinity'::timestamptz, 0::bigint),
  'a night with a finding carries nothing'
);

select is(
  pg_temp.night(1),
  jsonb_build_object(
    'found', '[]'::jsonb, 'since', '-infinity'::timestamptz, 'until', (select ends_at from app.closed_months)
  ),
  'a night without a finding carries the closed month'
);
select results_eq(
  'select uid, brokerage, frozen, available, commission, points from app.carried_balances order by uid',
  $$
    select uid, sum(brokerage_delta)::numeric(14,2), sum(frozen_delta)::numeric(18,4),
      sum(available_delta)::numeric(18,4),
      sum(brokerage_delta)::numeric(14,2), sum(frozen_delta + available_delta)::numeric(18,4)
    from app.user_bill group by uid order by uid
  $$, 'the carried sums of each member are those of the bill'
);
select is(
  pg_temp.night(),
  jsonb_build_object('found', '[]'::jsonb, 'since', (select ends_at from app.closed_months), 'until', null),
  'the next night begins where the closed month ends'
);

-- The next month: an order of its own, a refund of an old order, and a release.
create temporary table new as select pg_temp.report(
  pg_temp.sign_up((select uid::text from m)), 2, '2025-11-02T00:00:00Z'
) as id;
select from app.refund_order((select id from old where n = 1), null, null, '2025-11-03T00:00:00Z');
select app.begin_release('2025-11-04', false, '2025-11-04T01:00:00Z');
select app.release_chunk('2025-11-04', array(select uid from m), '2025-11-04T01:00:00Z');
select app.end_release('2025-11-04', 0, '2025-11-04T01:00:00Z');
select is(
  pg_temp.night(1) -> 'found', '[]'::jsonb,
  'with later rows, and a refund of an order of the closed month, it finds nothing in slices of one'
);
select is_empty('select * from app.reconcile()', 'neither does reconcile()');
select results_eq(
  'select id from app.changed_orders order by id',
  'select id from old where n = 1 union select id from new order by id',
  'it has noted the order of the open month and the refunded one'
);

select is(
  pg_temp.found_at_night(d.damage)::jsonb ? d.check_name, d.is_found,
  format('at night, %s: %s', case when d.is_found then 'found' else 'not read again' end, d.what)
)
from (values
  (
    'update app.user_balances set brokerage_price = brokerage_price + 1 where uid = (select uid from m)',
    'balance_equals_bill', true, 'a changed balance'
  ),
  (
    'update app.user_bill set brokerage_delta = brokerage_delta + 1 where order_id = (select id from new) and type = ''brokerage''',
    'amount_is_basis_times_rate', true, 'a changed row of the open month'
  ),
  (
    'delete from app.user_bill where order_id = (select id from old where n = 2) and type = ''frozen_points_brokerage''',
    'balance_equals_bill', false, 'a deleted row of the closed month'
  ),
  (
    'update app.orders set queue_units = queue_units + 1 where id = (select id from old where n = 1)',
    'queue_goods_left_equal_lines', true, 'a changed order of the closed month that was refunded since'
  ),
  (
    'delete from app.user_bill where add_time >= ''2025-11-04'' and type = ''frozen_points_release''',
    'release_equals_bill', true, 'a release without its bill row'
  ),
  (
    'update app.carried_balances set frozen = frozen - 1 where uid = (select uid from m)', 'balance_equals_bill', true,
    'changed carried sums'
  ),
  (
    'update app.users set agent_level = 3 where uid = (select uid from m)', 'level_equals_last_change', true,
    'a changed level'
  )
) as d (damage, check_name, is_found, what);

select matches(
  pg_temp.found(
    $f$ delete from app.user_bill
    where order_id = (select id from old where n = 2) and type = 'frozen_points_brokerage' $f$
  ),
  'balance_equals_bill', 'reconcile() reads the closed month and finds that the row is missing'
);

select * from finish();
rollback;
