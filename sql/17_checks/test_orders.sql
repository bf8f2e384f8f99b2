-- The test orders of the configuration check, which are rolled back.

-- Precondition: the caller rolls everything back.
-- Of the bill, the table: all rows of the cycle are of this transaction.
create or replace function app.create_test_member(p_spread_uid bigint)
returns bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with member as (
    insert into app.users (nickname, spread_uid, spread_time)
    values ('Configuration check', p_spread_uid, case when p_spread_uid is not null then now() end)
    returning uid
  )
  insert into app.user_balances (uid) select m.uid from member as m returning uid
$$;

comment on function app.create_test_member is
  'Creates a member without an account, for the configuration check, and returns the uid.';

-- Precondition: the caller rolls everything back.
create or replace function app.run_test_order(p_uid bigint, p_product_id bigint, p_now timestamptz)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  v_order := app.create_order(
    p_uid, jsonb_build_array(jsonb_build_object('product_id', p_product_id, 'quantity', 1)), p_now
  );
  v_order := app.pay_locked_order(v_order, 'check', 'check-' || v_order.id, p_now);
  if exists (select from app.settlement_jobs as j where j.order_id = v_order.id) then
    perform app.settle_order(v_order.id, p_now);
  end if;
  perform app.confirm_receipt(v_order.id, p_now);
  return v_order.id;
end
$$;

comment on function app.run_test_order is
  'Places, pays, settles and receives an order of one unit by the plan in force, and returns its id.';

-- Precondition: the caller rolls everything back.
create or replace function app.run_test_cycle(p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- The recounts are of one member. With these plans they read the orders of that member, not those of the store.
set enable_hashjoin = off
set enable_mergejoin = off
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
  insert into app.products (title, price, is_queue_goods) values ('Configuration check', 1000, true) returning id
  into v_product;
  perform app.run_test_order(v_uid, v_product, p_now);
  for i in 1..v_buyers loop
    select b.* into v_before from app.user_balances as b where b.uid = v_uid;
    v_order_id := app.run_test_order(app.create_test_member(v_uid), v_product, p_now);
  end loop;
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  v_results := jsonb_build_array(
    jsonb_build_object('subject', 'commission over a cycle and its wrap-around', 'actual',
    v_after.brokerage_price::text, 'expected', (
      select sum(trunc(1000 * v_plan.tier_ratios[(i - 1) % v_plan.people_per_cycle + 1], 2))::numeric(14,2)::text
      from generate_series(1, v_buyers) as i
    )),
    jsonb_build_object('subject', 'orders and members counted', 'expected',
    format('%s orders %s members', v_buyers, v_buyers),
      'actual',
      (select format('%s orders %s members', c.umbrella_orders, c.direct_members) from app.count_downline(v_uid) as c)),
    jsonb_build_object('subject', 'stored counts equal the recount', 'expected', null, 'actual', (
      select string_agg(r.subject, ', ' order by r.subject) from app.reconcile_counters(v_uid, v_uid) as r
    )),
    jsonb_build_object('subject', 'points equal the bill', 'actual', v_after.frozen_points::text, 'expected', (
      select coalesce(sum(l.frozen_delta), 0)::numeric(18,4)::text from app.user_bill as l where l.uid = v_uid
    )),
    jsonb_build_object('subject', 'level reached', 'actual',
    (select u.agent_level::text from app.users as u where u.uid = v_uid),
      'expected', app.level_by_tasks(v_after)::text)
  );

  perform app.refund_order(v_order_id, null, null, p_now);
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  v_results := v_results || jsonb_build_array(
    jsonb_build_object('subject', 'refund of the last order', 'expected', v_before.brokerage_price::text,
      'actual', v_after.brokerage_price::text),
    jsonb_build_object('subject', 'points after the refund', 'expected', v_before.frozen_points::text,
      'actual', v_after.frozen_points::text),
    jsonb_build_object('subject', 'orders and members counted after the refund', 'expected',
    format('%s orders %s members', v_buyers - 1, v_buyers - 1), 'actual',
      (select format('%s orders %s members', c.umbrella_orders, c.direct_members) from app.count_downline(v_uid) as c))
  );

  v_before := v_after;
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  -- The rate of R11 a second time, so that the check does not trust app.release_rate.
  return v_results || jsonb_build_object('subject', 'release of a day, run twice',
    'expected', trunc(v_before.frozen_points * 0.0004, 4)::text, 'actual', v_after.available_points::text);
end
$$;

comment on function app.run_test_cycle is
  'Runs the test orders of a whole cycle and one more, a refund and a release. Returns [{subject, expected, actual}].';

-- Sequences are not rolled back.
-- Locks: rows of its own, and structure (shared) until the rollback.
create or replace function app.verify_end_to_end()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_findings jsonb;
  v_error text;
begin
  perform app.lock_structure_shared();
  if app.is_importing() then
    return query select
      'end_to_end', 'warning', 'test run', 'not run, because no order is settled until the import has ended',
      'Continue the import with npm run import, or end it: npm run import -- --abandon';
    return;
  end if;
  begin
    v_findings := app.run_test_cycle(clock_timestamp());
    raise exception using errcode = 'PV000', message = 'undo', detail = v_findings::text;
  exception
    when sqlstate 'PV000' then
      get stacked diagnostics v_error = pg_exception_detail;
      v_findings := v_error::jsonb;
    when others then
      v_findings := jsonb_build_array(jsonb_build_object(
        'subject', 'test run', 'expected', 'no error', 'actual', format('%s: %s', sqlstate, sqlerrm)
      ));
  end;
  return query
    select
      'end_to_end', case when f.expected is not distinct from f.actual then 'ok' else 'error' end, f.subject,
      case when f.expected is not distinct from f.actual then coalesce(f.actual, 'yes')
        else format('expected %s, got %s', coalesce(f.expected, 'nothing'), coalesce(f.actual, 'nothing')) end,
      'Restore the functions of the last release, or review the changes since then.'
    from jsonb_to_recordset(v_findings) as f (subject text, expected text, actual text);
end
$$;

comment on function app.verify_end_to_end is
  'Compares the results of test orders with the rules (app.run_test_cycle), and rolls them back. An error is a '
  'finding. While an import is unfinished, nothing is run.';
