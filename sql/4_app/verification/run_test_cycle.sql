-- Precondition: the caller rolls everything back.
-- Raises: what app.run_test_order and app.refund_order raise.
create or replace function app.run_test_cycle(p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_product bigint;
  v_uid bigint := app.create_test_member(null);
  v_buyers integer;
  v_order_id bigint;
  v_before app.user_balances;
  v_after app.user_balances;
  v_results jsonb;
begin
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_buyers := v_plan.people_per_cycle + 1;
  insert into app.products (title, price, is_queue_goods) values ('Configuration check', 1000, true) returning id into v_product;
  perform app.run_test_order(v_uid, v_product, p_now);
  for i in 1..v_buyers loop
    select b.* into v_before from app.user_balances as b where b.uid = v_uid;
    v_order_id := app.run_test_order(app.create_test_member(v_uid), v_product, p_now);
  end loop;
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  v_results := jsonb_build_array(
    jsonb_build_object('subject', 'commission over a cycle and its wrap-around', 'actual', v_after.brokerage_price::text, 'expected', (
      select sum(trunc(1000 * v_plan.tier_ratios[(i - 1) % v_plan.people_per_cycle + 1], 2))::numeric(14,2)::text from generate_series(1, v_buyers) as i
    )),
    jsonb_build_object('subject', 'orders and members counted', 'expected', format('%s orders %s members', v_buyers, v_buyers),
      'actual', (select format('%s orders %s members', c.umbrella_orders, c.direct_members) from app.count_downline(v_uid) as c)),
    jsonb_build_object('subject', 'stored counts equal the recount', 'expected', null, 'actual', (
      select string_agg(r.subject, ', ') from app.reconcile_counters() as r where r.subject = format('uid %s', v_uid)
    )),
    jsonb_build_object('subject', 'points equal the bill', 'actual', v_after.frozen_points::text, 'expected', (
      select coalesce(sum(l.frozen_delta), 0)::numeric(18,4)::text from app.user_bill as l where l.uid = v_uid
    )),
    jsonb_build_object('subject', 'level reached', 'actual', (select u.agent_level::text from app.users as u where u.uid = v_uid),
      'expected', app.level_by_tasks(v_after)::text)
  );

  perform app.refund_order(v_order_id, null, null, p_now);
  v_results := v_results || jsonb_build_object('subject', 'refund of the last order', 'expected', v_before.brokerage_price::text,
    'actual', (select b.brokerage_price::text from app.user_balances as b where b.uid = v_uid));

  select b.* into v_before from app.user_balances as b where b.uid = v_uid;
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  return v_results || jsonb_build_object('subject', 'release of a day, run twice',
    'expected', trunc(v_before.frozen_points * 0.0004, 4)::text, 'actual', v_after.available_points::text);
end
$$;

comment on function app.run_test_cycle is
  'Runs the test orders of the configuration check: those of a referrer with an own order and of as many buyers as a cycle has '
  'places and one more, a refund and a release. Returns [{subject, expected, actual}].';
