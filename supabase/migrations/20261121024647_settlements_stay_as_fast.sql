SET local check_function_bodies = off;

DROP FUNCTION "app"."raise_levels"(app.upline_member[], bigint, timestamp WITH time zone);

CREATE OR REPLACE FUNCTION app.book_settlement (
  p_order app.orders,
  p_now   timestamp with time zone
)
  RETURNS app.settlements
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_plan app.commission_plans;
  v_upline app.upline_member[] := array(select app.upline_shares(p_order.uid));
  v_settlement app.settlements;
  v_entries app.bill_entry[] := '{}';
  v_changes app.member_change[] := '{}';
  v_taken record;
begin
  select p.* into v_plan from app.commission_plans as p where p.version = p_order.plan_version;
  v_settlement := app.open_settlement(p_order, v_plan, cardinality(v_upline), p_now);
  if v_settlement.earner_uid is not null then
    v_taken := app.take_place(v_settlement, v_plan);
    v_settlement := v_taken.settlement;
    v_changes := v_changes || v_taken.change;
    v_entries := app.cycle_entries(v_settlement);
  end if;
  insert into app.settlements values (v_settlement.*);

  if v_settlement.base > 0 then
    v_entries := v_entries || app.level_entries(p_order, v_plan.max_depth, v_upline);
  end if;
  if app.is_counted(p_order) then
    v_changes := v_changes || app.order_counts(p_order, v_upline, 1);
  end if;
  perform app.book_entries(v_entries, v_changes, p_now);
  if v_settlement.state = 'settled' then
    perform app.raise_levels(p_order.uid, v_upline, p_order.id, p_now);
  end if;
  return v_settlement;
end
$function$;

CREATE OR REPLACE FUNCTION app.open_settlement (
  p_order        app.orders,
  p_plan         app.commission_plans,
  p_upline_depth integer,
  p_now          timestamp with time zone
)
  RETURNS app.settlements
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_settlement app.settlements;
begin
  v_settlement.order_id := p_order.id;
  v_settlement.state := case when p_order.queue_units = 0 then 'refunded' else 'settled' end;
  v_settlement.uid := p_order.uid;
  v_settlement.referrer_uid := p_order.referrer_uid;
  v_settlement.order_plan_version := p_plan.version;
  select l.version, coalesce((select c.id from app.level_changes as c order by c.id desc limit 1), 0)
  into v_settlement.level_version, v_settlement.level_change_mark
  from app.level_versions as l order by l.version desc limit 1;
  v_settlement.upline_depth := p_upline_depth;
  v_settlement.brokerage_scope := p_plan.brokerage_scope;
  v_settlement.base := p_order.queue_base;
  v_settlement.units := p_order.queue_units;
  v_settlement.commission := 0;
  v_settlement.commission_points := 0;
  v_settlement.settled_at := p_now;
  v_settlement.reason := case
    when p_order.queue_units = 0 then 'refunded'
    when p_order.queue_base = 0 then 'zero_base'
    when p_order.referrer_uid is null then 'no_referrer'
  end;
  if v_settlement.reason is null then
    v_settlement.earner_uid := app.find_earner(p_order, p_plan.brokerage_scope, p_plan.max_depth);
    if v_settlement.earner_uid is null then
      v_settlement.reason := case p_plan.brokerage_scope when 'direct' then 'referrer_not_eligible' else 'nobody_eligible' end;
    end if;
  end if;
  return v_settlement;
end
$function$;

CREATE OR REPLACE FUNCTION app.raise_levels (
  p_uid      bigint,
  p_upline   app.upline_member[],
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  loop
    with rising as (
      select a.depth, a.uid, a.agent_level as from_level, n.grade as to_level
      from unnest(p_upline) as a
      join app.user_balances as b on b.uid = a.uid
      cross join lateral (select min(l.grade) as grade from app.agent_levels as l where l.is_active and l.grade > a.agent_level) as n
      where a.is_below_top
        and exists (select from app.agent_level_tasks as t where t.grade = n.grade)
        and not exists (
          select from app.agent_level_tasks as t
          where t.grade = n.grade and t.target > case t.type
            when 'direct_orders' then b.direct_orders
            when 'umbrella_orders' then b.umbrella_orders
            when 'direct_members' then b.direct_members
            when 'umbrella_members' then b.umbrella_members
          end
        )
    ),
    risen as (
      update app.users as u set agent_level = r.to_level from rising as r where u.uid = r.uid
      returning r.depth, u.uid, r.from_level, r.to_level
    )
    insert into app.level_changes (uid, from_level, to_level, reason, order_id, add_time)
    select r.uid, r.from_level, r.to_level, 'tasks', p_order_id, p_now from risen as r order by r.depth;
    exit when not found;
    p_upline := array(select app.upline_shares(p_uid));
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.settle_locked_order (
  p_order app.orders,
  p_now   timestamp with time zone
)
  RETURNS app.settlements
  LANGUAGE plpgsql
  SET search_path TO ''
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_settlement app.settlements;
begin
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order.id;
  if not found then
    if p_order.paid_at is null or not p_order.has_queue_goods then
      perform app.fail('order_state_conflict', 'Only a paid order with queue goods can be settled.');
    end if;
    v_settlement := app.book_settlement(p_order, p_now);
  end if;
  delete from app.settlement_jobs where order_id = p_order.id;
  return v_settlement;
end
$function$;

REVOKE ALL ON FUNCTION "app"."raise_levels"(bigint, app.upline_member[], bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."raise_levels"(bigint, app.upline_member[], bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."raise_levels"(bigint, app.upline_member[], bigint, timestamp WITH time zone) TO "postgres";
