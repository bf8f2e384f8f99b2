SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.get_agent_levels()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'version', (select max(v.version) from app.level_versions as v),
    'list', app.levels_json(), 'count', jsonb_array_length(app.levels_json()),
    'versions', (
      select jsonb_agg(jsonb_build_object(
        'version', v.version, 'created_by', app.actor_json(v.created_by), 'created_at', app.utc(v.created_at)
      ) order by v.version desc)
      from (select * from app.level_versions as a order by a.version desc limit 20) as v
    )
  )
$function$;

CREATE OR REPLACE FUNCTION api.get_brokerage_config()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select app.plan_json(p) || jsonb_build_object('versions', (
    select jsonb_agg(app.plan_json(v) order by v.version desc)
    from (select * from app.commission_plans as a order by a.version desc limit 20) as v
  ))
  from app.commission_plans as p
  where p.version = app.active_plan_version()
$function$;

CREATE OR REPLACE FUNCTION app.actor_json (
  p_auth_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('auth_id', p_auth_id, 'uid', u.uid, 'nickname', u.nickname)
  from (select p_auth_id as id where p_auth_id is not null) as a
  left join app.users as u on u.auth_id = a.id
$function$;

CREATE OR REPLACE FUNCTION app.plan_json (
  p_plan app.commission_plans
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'version', p_plan.version, 'people_per_cycle', p_plan.people_per_cycle,
    'tier_ratios', (
      select jsonb_agg(trim_scale(r.ratio) order by r.place) from unnest(p_plan.tier_ratios) with ordinality as r (ratio, place)
    ),
    'brokerage_scope', p_plan.brokerage_scope, 'brokerage_timing', p_plan.brokerage_timing,
    'points_per_brokerage', trim_scale(p_plan.points_per_brokerage), 'max_depth', p_plan.max_depth,
    'payout_cap', trim_scale(p_plan.payout_cap), 'created_by', app.actor_json(p_plan.created_by),
    'created_at', app.utc(p_plan.created_at)
  )
$function$;

CREATE OR REPLACE FUNCTION app.simulation_report (
  p_schema text,
  p_orders integer,
  p_limit  integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_report jsonb;
begin
  execute format($sql$
    with replayed as (
      select s.order_id, o.queue_base from %1$I.settlements as s join %1$I.orders as o on o.id = s.order_id
    ),
    entries as (
      select 'simulated' as side, l.uid, l.order_id, l.brokerage_delta as money, l.frozen_delta + l.available_delta as points
      from %1$I.user_bill as l
      union all
      select 'paid', l.uid, l.order_id, l.brokerage_delta, l.frozen_delta + l.available_delta
      from app.user_bill as l join replayed as r on r.order_id = l.order_id
    ),
    members as (
      select e.uid, sum(e.money) filter (where e.side = 'simulated') as money, sum(e.points) filter (where e.side = 'simulated') as points,
        sum(e.money) filter (where e.side = 'paid') as paid_money, sum(e.points) filter (where e.side = 'paid') as paid_points
      from entries as e group by e.uid
    ),
    totals as (
      select e.side, sum(e.money) as money, sum(e.points) as points from entries as e group by e.side
    ),
    highest as (
      select distinct on (e.side) e.side, e.order_id, sum(e.money) as money
      from entries as e group by e.side, e.order_id order by e.side, sum(e.money) desc, e.order_id
    )
    select jsonb_build_object(
      'orders', $1, 'revenue', (select coalesce(sum(r.queue_base), 0.00)::text from replayed as r),
      'totals', coalesce((
        select jsonb_object_agg(t.side, jsonb_build_object(
          'commission', t.money::text, 'points', trim_scale(t.points),
          'payout_share', (select trunc(t.money / nullif(sum(r.queue_base), 0), 4) from replayed as r),
          'highest_order', (select jsonb_build_object('order_id', h.order_id, 'commission', h.money::text) from highest as h where h.side = t.side)
        )) from totals as t
      ), '{}'),
      'members', coalesce((
        select jsonb_agg(jsonb_build_object(
          'uid', m.uid, 'nickname', m.nickname, 'commission', coalesce(m.money, 0.00)::text, 'points', trim_scale(coalesce(m.points, 0)),
          'paid_commission', coalesce(m.paid_money, 0.00)::text, 'paid_points', trim_scale(coalesce(m.paid_points, 0))
        ) order by coalesce(m.money, 0) desc, m.uid)
        from (
          select n.*, u.nickname from members as n join app.users as u on u.uid = n.uid
          order by coalesce(n.money, 0) desc, n.uid limit $2
        ) as m
      ), '[]')
    )
  $sql$, p_schema) into v_report using p_orders, p_limit;
  return v_report;
end
$function$;

REVOKE ALL ON FUNCTION "app"."actor_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."actor_json"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."actor_json"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."actor_json"(uuid) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."plan_json"(app.commission_plans) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."plan_json"(app.commission_plans) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."plan_json"(app.commission_plans) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."plan_json"(app.commission_plans) TO "store_admin";
