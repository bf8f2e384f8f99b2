-- What administrators may call about the shape of the network.

-- Precondition: the caller has checked that an administrator asks.
create or replace function app.network_thresholds(
  p_people integer, p_depth integer, out people integer, out depth integer
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_people not between 1 and 1000000 or p_depth not between 1 and 1000 then
    perform app.fail('invalid_argument', 'people is between 1 and 1000000, depth between 1 and 1000.');
  end if;
  select coalesce(p_people, s.network_people), coalesce(p_depth, s.network_depth) into people, depth
  from app.settings as s;
end
$$;

comment on function app.network_thresholds is
  'Returns the thresholds of a request: the least number of members below a member, and the least depth; null takes '
  'that of the settings. Raises invalid_argument.';

grant execute on function app.network_thresholds(integer, integer) to store_admin;

create or replace function app.earners_json()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select jsonb_build_object(
    'earners', count(*), 'with_one_order', count(*) filter (where e.paid = 1),
    'share', trunc(count(*) filter (where e.paid = 1) / nullif(count(*), 0)::numeric, 4)
  )
  -- The orders of earners are counted, not those of everyone.
  from (
    select m.uid, count(o.id) as paid
    from (
      select s.earner_uid as uid from app.settlements as s where s.earner_uid is not null group by s.earner_uid
    ) as m
    left join app.orders as o on o.uid = m.uid and o.paid_at is not null
    group by m.uid
  ) as e
$$;

comment on function app.earners_json is
  'Returns {earners, with_one_order, share}: how many members have ever earned a commission, and how many of them '
  'have paid for one order only, refunded or not (R4).';

grant execute on function app.earners_json() to store_admin;

create or replace function api.get_network(p_people integer default null, p_depth integer default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_limits record;
  v_shape jsonb;
begin
  perform app.require_admin();
  v_limits := app.network_thresholds(p_people, p_depth);
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  select jsonb_build_object(
    'referrers', count(*), 'depth', coalesce(max(m.depth), 0),
    'above', count(*) filter (where m.people >= v_limits.people and m.depth >= v_limits.depth),
    'presets', jsonb_build_array(
      jsonb_build_object('people', 30, 'depth', 3, 'members', count(*) filter (where m.people >= 30 and m.depth >= 3)),
      jsonb_build_object('people', 1, 'depth', 2, 'members', count(*) filter (where m.depth >= 2))
    )
  )
  into v_shape
  from app.network_members() as m;
  return v_shape || jsonb_build_object(
    'people', v_limits.people, 'from_depth', v_limits.depth, 'as_of',
    (select app.utc(t.as_of) from app.team_totals_as_of as t),
    'plan', app.plan_reach(v_plan, app.levels_json()) || jsonb_build_object(
      'version', v_plan.version, 'brokerage_scope', v_plan.brokerage_scope, 'max_depth', v_plan.max_depth, 'payout_cap',
      trim_scale(v_plan.payout_cap)
    ),
    'eligibility', app.earners_json()
  );
end
$$;

comment on function api.get_network is
  'Returns the shape of the network: how many members reach the thresholds (app.network_thresholds), how deep the '
  'plan in force pays, and how many earners bought only once. Serves GET /adminapi/network.';

grant execute on function api.get_network(integer, integer) to store_admin;

-- Apart from api.get_network, because it reads the bill.
create or replace function api.get_network_paid()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_days constant integer := 90;
  v_from constant timestamptz := app.day_begins(app.business_day(clock_timestamp()) - v_days + 1);
begin
  perform app.require_admin();
  return jsonb_build_object(
    'deepest', coalesce((
      select jsonb_object_agg(
        d.kind, jsonb_build_object('depth', d.depth, 'uid', d.uid, 'nickname', u.nickname, 'order_id', d.order_id)
      )
      from app.deepest_paid() as d join app.users as u on u.uid = d.uid
    ), '{}'),
    'days', v_days, 'from', app.utc(v_from), 'depths', app.depths_json(app.earnings_since(v_from), null)
  );
end
$$;

comment on function api.get_network_paid is
  'Returns how deep orders have ever paid, and what was booked at each depth in the last 90 business days. Serves GET '
  '/adminapi/network/paid.';

grant execute on function api.get_network_paid() to store_admin;

create or replace function api.get_network_members(
  p_people integer default null, p_depth integer default null, p_sort text default '-people', p_page integer default 1,
  p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limits record;
  v_sort record;
  v_skip bigint;
begin
  perform app.require_admin();
  v_limits := app.network_thresholds(p_people, p_depth);
  v_sort := app.check_sort(p_sort, '{people, direct_members, depth}');
  v_skip := app.check_page(p_page, p_limit);
  return (
    with matching as materialized (
      select m.*,
        case v_sort.key when 'depth' then m.depth when 'direct_members' then m.direct_members else m.people end
        * case v_sort.direction when 'desc' then -1 else 1 end as rank
      from app.network_members() as m where m.people >= v_limits.people and m.depth >= v_limits.depth
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'uid', l.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', v.name, 'people',
        l.people, 'direct_members', l.direct_members,
        'depth', l.depth, 'total_brokerage', b.total_brokerage::text, 'left_at', app.utc(u.left_at)
      ) order by l.rank, l.uid),
      (select count(*) from matching)
    )
    from (select m.* from matching as m order by m.rank, m.uid offset v_skip limit p_limit) as l
    join app.users as u on u.uid = l.uid
    join app.user_balances as b on b.uid = l.uid
    join app.agent_levels as v on v.grade = u.agent_level
  );
end
$$;

comment on function api.get_network_members is
  'Returns one page of the members who reach the thresholds (app.network_thresholds), sorted by people, '
  'direct_members or depth. Serves GET /adminapi/network/member.';

grant execute on function api.get_network_members(integer, integer, text, integer, integer) to store_admin;

create or replace function api.get_member_network(p_uid bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_depths jsonb;
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  v_depths := app.depths_json(app.earnings_of_member(p_uid), p_uid);
  return (
    select jsonb_build_object(
      'people', coalesce((select t.umbrella_members from app.team_totals as t where t.uid = p_uid), 0),
      'depth', coalesce(max(d.depth) filter (where d.people > 0), 0), 'depths', v_depths,
      'own_sales', jsonb_build_object(
        'commission',
        trunc(coalesce(sum(d.commission) filter (where d.depth = 1), 0) / nullif(greatest(sum(d.commission), 0), 0), 4),
        'points',
        trunc(coalesce(sum(d.points) filter (where d.depth = 1), 0) / nullif(greatest(sum(d.points), 0), 0), 4)
      ),
      'as_of', (select app.utc(t.as_of) from app.team_totals_as_of as t)
    )
    from (
      select r.*, r.commission_points + r.direct_points + r.umbrella_points as points
      from jsonb_to_recordset(v_depths) as r (
        depth integer, people bigint, commission numeric, commission_points numeric, direct_points numeric,
        umbrella_points numeric
      )
    ) as d
  );
end
$$;

comment on function api.get_member_network is
  'Returns for each depth below a member how many members are there and what their orders brought. own_sales is the '
  'share of depth 1. Serves GET /adminapi/user/{uid}/network.';

grant execute on function api.get_member_network(bigint) to store_admin;

create or replace function app.branch_json(p_uids bigint[])
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', l.name, 'own_orders',
    coalesce(t.own_orders, 0),
    'direct_members', coalesce(t.direct_members, 0), 'people', coalesce(t.umbrella_members, 0), 'left_at',
    app.utc(u.left_at)
  ) order by p.place), '[]')
  from unnest(p_uids) with ordinality as p (uid, place)
  join app.users as u on u.uid = p.uid
  join app.agent_levels as l on l.grade = u.agent_level
  left join app.team_totals as t on t.uid = p.uid
$$;

comment on function app.branch_json is
  'Returns members in the given sequence with the number of members below them, by the team totals.';

grant execute on function app.branch_json(bigint[]) to store_admin;

-- PL/pgSQL, so that the session caches the query plan (decision 0007). The page follows the index by members below.
create or replace function api.get_branch(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return app.list_json(
    app.branch_json(array(
      select t.uid from app.team_totals as t where t.spread_uid = p_uid order by t.umbrella_members desc, t.uid desc
      offset v_skip limit p_limit
    )),
    (select count(*) from app.team_totals as t where t.spread_uid = p_uid)
  )
  || jsonb_build_object(
    'root', app.branch_json(array[p_uid]) -> 0, 'as_of', (select app.utc(t.as_of) from app.team_totals_as_of as t)
  );
end
$$;

comment on function api.get_branch is
  'Returns one page of the direct members of a member, the largest team first, and the member (root). Serves GET '
  '/adminapi/user/{uid}/branch.';

grant execute on function api.get_branch(bigint, integer, integer) to store_admin;
