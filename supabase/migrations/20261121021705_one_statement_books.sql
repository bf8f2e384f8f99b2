SET local check_function_bodies = off;

DROP FUNCTION "app"."active_plan_version"();

DROP FUNCTION "app"."add_to_counters"(bigint, integer, integer, integer, integer);

DROP FUNCTION "app"."book_entries"(app.bill_entry[], timestamp WITH time zone);

DROP FUNCTION "app"."count_order"(app.orders);

DROP FUNCTION "app"."cycle_entries"(app.settlements, numeric);

DROP FUNCTION "app"."has_reported_order"(bigint, timestamp WITH time zone);

DROP FUNCTION "app"."is_counted"(app.orders);

DROP FUNCTION "app"."level_entries"(app.orders, integer, app.upline_member[]);

DROP FUNCTION "app"."raise_levels"(bigint, bigint, timestamp WITH time zone);

DROP FUNCTION "app"."refund_participants"(bigint);

DROP FUNCTION "app"."set_refund_status"(app.orders);

DROP FUNCTION "app"."settlement_participants"(bigint[]);

DROP FUNCTION "app"."share_structure"();

DROP FUNCTION "app"."take_place"(bigint, integer);

DROP FUNCTION "app"."uncount_order"(app.orders);

ALTER TABLE "app"."user_balances"
  SET (fillfactor=45);

CREATE TYPE "app"."member_change" AS (
  "uid"                bigint,
  "own_orders"         integer,
  "direct_orders"      integer,
  "umbrella_orders"    integer,
  "direct_members"     integer,
  "umbrella_members"   integer,
  "places"             integer,
  "cycle_no"           integer,
  "cycle_plan_version" integer,
  "cycle_is_open"      boolean
);

ALTER TYPE "app"."upline_member" ADD ATTRIBUTE "is_below_top" boolean CASCADE;

CREATE OR REPLACE FUNCTION app.active_plan_version()
  RETURNS integer
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return (select max(p.version) from app.commission_plans as p);
end
$function$;

CREATE OR REPLACE FUNCTION app.bind_spread (
  p_uid        bigint,
  p_spread_uid bigint,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_user app.users;
  v_below record;
  v_own integer;
begin
  perform app.own_structure();
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_user.spread_uid = p_spread_uid then
    return;
  elsif v_user.spread_uid is not null then
    perform app.fail('spread_already_bound', 'A referrer can be set only once.');
  elsif p_uid = p_spread_uid then
    perform app.fail('spread_is_self', 'Nobody can be their own referrer.');
  elsif p_spread_uid is null or not exists (select from app.users as u where u.uid = p_spread_uid) then
    perform app.fail('spread_unknown', 'There is no member with this uid.');
  elsif exists (select from app.get_upline(p_spread_uid) as a where a.uid = p_uid) then
    perform app.fail('spread_in_own_downline', 'The referrer stands below this member.');
  end if;

  update app.users set spread_uid = p_spread_uid, spread_time = p_now where uid = p_uid;
  perform app.lock_balances(array(select a.uid from app.get_upline(p_uid) as a) || p_uid);
  select * into v_below from app.count_downline(p_uid);
  select case when v_user.no_assess then 0 else b.own_orders end into v_own from app.user_balances as b where b.uid = p_uid;
  perform app.book_entries('{}', app.upline_counts(
    array(select app.upline_shares(p_uid)), v_own, least(v_own, 1), v_below.umbrella_orders, v_below.umbrella_members
  ), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.book_entries (
  p_entries app.bill_entry[],
  p_changes app.member_change[],
  p_now     timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  with entries as materialized (
    select e.*
    from unnest(p_entries) with ordinality as e
    where e.brokerage_delta <> 0 or e.frozen_delta <> 0 or e.available_delta <> 0
  ),
  totals as (
    select
      t.uid, sum(t.brokerage_delta) as brokerage_delta, sum(t.frozen_delta) as frozen_delta, sum(t.available_delta) as available_delta,
      sum(t.own_orders) as own_orders, sum(t.direct_orders) as direct_orders, sum(t.umbrella_orders) as umbrella_orders,
      sum(t.direct_members) as direct_members, sum(t.umbrella_members) as umbrella_members, sum(t.places) as places,
      max(t.cycle_no) as cycle_no, max(t.cycle_plan_version) as cycle_plan_version, bool_or(t.cycle_is_open) as cycle_is_open
    from (
      select
        e.uid, e.brokerage_delta, e.frozen_delta, e.available_delta, 0 as own_orders, 0 as direct_orders, 0 as umbrella_orders,
        0 as direct_members, 0 as umbrella_members, 0 as places,
        null::integer as cycle_no, null::integer as cycle_plan_version, null::boolean as cycle_is_open
      from entries as e
      union all
      select
        c.uid, 0, 0, 0, c.own_orders, c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members, c.places,
        c.cycle_no, c.cycle_plan_version, c.cycle_is_open
      from unnest(p_changes) as c
    ) as t
    group by t.uid
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage_delta,
        total_brokerage = b.total_brokerage + t.brokerage_delta,
        frozen_points = b.frozen_points + t.frozen_delta,
        available_points = b.available_points + t.available_delta,
        total_points_earned = b.total_points_earned + t.frozen_delta + t.available_delta,
        own_orders = b.own_orders + t.own_orders,
        direct_orders = b.direct_orders + t.direct_orders,
        umbrella_orders = b.umbrella_orders + t.umbrella_orders,
        direct_members = b.direct_members + t.direct_members,
        umbrella_members = b.umbrella_members + t.umbrella_members,
        total_places = b.total_places + t.places,
        cycle_no = coalesce(t.cycle_no, b.cycle_no),
        cycle_plan_version = coalesce(t.cycle_plan_version, b.cycle_plan_version),
        cycle_is_open = coalesce(t.cycle_is_open, b.cycle_is_open)
    from totals as t
    where b.uid = t.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
  )
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, reverses_id, add_time
  )
  select
    e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
    b.brokerage_price - coalesce(sum(e.brokerage_delta) over later, 0),
    b.frozen_points - coalesce(sum(e.frozen_delta) over later, 0),
    b.available_points - coalesce(sum(e.available_delta) over later, 0),
    e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id, p_now
  from entries as e
  join changed as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
end
$function$;

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
    perform app.raise_levels(v_upline, p_order.id, p_now);
  end if;
  return v_settlement;
end
$function$;

CREATE OR REPLACE FUNCTION app.count_downline (
  p_uid bigint
)
  RETURNS TABLE (
    direct_orders    integer,
    umbrella_orders  integer,
    direct_members   integer,
    umbrella_members integer
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  SET jit TO 'off'
  AS $function$
  select
    (count(*) filter (where o.is_direct))::integer,
    count(*)::integer,
    (count(distinct o.uid) filter (where o.is_direct))::integer,
    (count(distinct o.uid))::integer
  from app.downline_orders(p_uid) as o
  where o.reason is null
$function$;

CREATE OR REPLACE FUNCTION app.cycle_entries (
  p_settlement app.settlements
)
  RETURNS app.bill_entry[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_points_per_brokerage numeric := (
    select p.points_per_brokerage from app.commission_plans as p where p.version = p_settlement.cycle_plan_version
  );
begin
  return array[
    (p_settlement.earner_uid, 'brokerage', 'cycle', p_settlement.commission, 0, 0,
      p_settlement.order_id, p_settlement.base, p_settlement.ratio, null, null, null)::app.bill_entry,
    (p_settlement.earner_uid, 'frozen_points_brokerage', 'cycle', 0, p_settlement.commission_points, 0,
      p_settlement.order_id, p_settlement.commission, v_points_per_brokerage, null, null, null)::app.bill_entry
  ];
end
$function$;

CREATE OR REPLACE FUNCTION app.get_upline (
  p_uid bigint
)
  RETURNS TABLE (
    depth       integer,
    uid         bigint,
    agent_level smallint
  )
  LANGUAGE plpgsql
  STABLE
  ROWS 20
  SET search_path TO ''
  SET enable_hashjoin TO 'off'
  SET enable_mergejoin TO 'off'
  AS $function$
begin
  return query
    with recursive upline as (
      select 1 as depth, r.uid, r.agent_level, r.spread_uid
      from app.users as u join app.users as r on r.uid = u.spread_uid
      where u.uid = p_uid
      union all
      select p.depth + 1, r.uid, r.agent_level, r.spread_uid
      from upline as p join app.users as r on r.uid = p.spread_uid
    )
    select upline.depth, upline.uid, upline.agent_level from upline;
end
$function$;

CREATE OR REPLACE FUNCTION app.has_reported_order (
  p_uid     bigint,
  p_paid_by timestamp with time zone
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return exists (
    select from app.orders as o
    where o.uid = p_uid and o.paid_at <= p_paid_by and o.queue_units > 0 and o.refund_status <> 2
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.is_counted (
  p_order app.orders
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return p_order.queue_units > 0 and p_order.refund_status in (0, 3) and exists (
    select from app.settlements as s where s.order_id = p_order.id and s.state = 'settled'
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.level_entries (
  p_order     app.orders,
  p_max_depth integer,
  p_upline    app.upline_member[]
)
  RETURNS app.bill_entry[]
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  return (
    select coalesce(array_agg(
      (s.uid, 'frozen_points_brokerage', case s.depth when 1 then 'direct' else 'umbrella' end,
        0, app.level_points(p.per_unit, p_order.queue_units), 0,
        p_order.id, p_order.queue_units, p.per_unit, s.agent_level, case when s.depth > 1 then s.passed_on end, null
      )::app.bill_entry
      order by s.depth
    ), '{}')
    from unnest(p_upline) as s
    cross join lateral (
      select case s.depth when 1 then s.direct_points else app.umbrella_share(s.umbrella_points, s.passed_on) end as per_unit
    ) as p
    -- An order made before its buyer had a referrer pays nobody.
    where p.per_unit > 0 and p_order.referrer_uid is not null and s.depth <= coalesce(p_max_depth, s.depth)
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_balances (
  p_uids bigint[]
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock(74010001, (min(u.uid) % 2147483647)::integer) from unnest(p_uids) as u (uid);
  perform from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update;
end
$function$;

CREATE OR REPLACE FUNCTION app.lock_for_refund (
  p_order_id bigint
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  if v_order.paid_at is null then
    perform app.fail('order_state_conflict', 'Only a paid order can be refunded.');
  end if;
  perform app.lock_balances(app.refund_participants(v_order));
  return v_order;
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
  select max(l.version), (select coalesce(max(c.id), 0) from app.level_changes as c)
  into v_settlement.level_version, v_settlement.level_change_mark
  from app.level_versions as l;
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

CREATE OR REPLACE FUNCTION app.order_counts (
  p_order  app.orders,
  p_upline app.upline_member[],
  p_step   integer
)
  RETURNS app.member_change[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_own_orders integer;
  v_no_assess boolean;
  v_counts app.member_change[] := array[(p_order.uid, p_step, 0, 0, 0, 0, 0, null, null, null)::app.member_change];
begin
  select b.own_orders, u.no_assess into v_own_orders, v_no_assess
  from app.user_balances as b join app.users as u on u.uid = b.uid
  where b.uid = p_order.uid;
  if v_no_assess then
    return v_counts;
  end if;
  -- A member counts from the first order to the last.
  return v_counts || app.upline_counts(p_upline, p_step, case when least(v_own_orders, v_own_orders + p_step) = 0 then p_step else 0 end);
end
$function$;

CREATE OR REPLACE FUNCTION app.order_participants (
  p_order app.orders
)
  RETURNS bigint[]
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
declare
  v_uids bigint[];
  v_plan app.commission_plans;
begin
  v_uids := array(
    select s.uid
    from app.upline_shares(p_order.uid) as s
    where s.depth = 1 or s.is_below_top or s.umbrella_points > s.passed_on
  ) || p_order.uid;
  select p.* into v_plan from app.commission_plans as p where p.version = p_order.plan_version;
  -- With scope direct the earner is the referrer, who is named anyway.
  if v_plan.brokerage_scope = 'umbrella' then
    v_uids := array_remove(v_uids || app.find_earner(p_order, v_plan.brokerage_scope, v_plan.max_depth), null);
  end if;
  return v_uids;
end
$function$;

CREATE OR REPLACE FUNCTION app.raise_levels (
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
    with steps as materialized (
      select
        l.grade as from_level, n.grade as to_level,
        coalesce(max(t.target) filter (where t.type = 'direct_orders'), 0) as direct_orders,
        coalesce(max(t.target) filter (where t.type = 'umbrella_orders'), 0) as umbrella_orders,
        coalesce(max(t.target) filter (where t.type = 'direct_members'), 0) as direct_members,
        coalesce(max(t.target) filter (where t.type = 'umbrella_members'), 0) as umbrella_members
      from app.agent_levels as l
      cross join lateral (select min(h.grade) as grade from app.agent_levels as h where h.is_active and h.grade > l.grade) as n
      join app.agent_level_tasks as t on t.grade = n.grade
      group by l.grade, n.grade
    ),
    rising as (
      select a.depth, a.uid, s.from_level, s.to_level
      from unnest(p_upline) as a
      join app.user_balances as b on b.uid = a.uid
      join app.users as u on u.uid = a.uid
      join steps as s on s.from_level = u.agent_level
      where b.direct_orders >= s.direct_orders and b.umbrella_orders >= s.umbrella_orders
        and b.direct_members >= s.direct_members and b.umbrella_members >= s.umbrella_members
    ),
    risen as (
      update app.users as u set agent_level = r.to_level from rising as r where u.uid = r.uid
      returning r.depth, u.uid, r.from_level, r.to_level
    )
    insert into app.level_changes (uid, from_level, to_level, reason, order_id, add_time)
    select r.uid, r.from_level, r.to_level, 'tasks', p_order_id, p_now from risen as r order by r.depth;
    exit when not found;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  SET jit TO 'off'
  AS $function$
  select * from app.reconcile_balances()
  union all select * from app.reconcile_amounts()
  union all select * from app.reconcile_counters()
  union all select * from app.reconcile_settlements()
  union all select * from app.reconcile_releases()
  union all select * from app.reconcile_refunds()
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_counters()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  SET jit TO 'off'
  AS $function$
  with recursive own as (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    join app.settlements as s on s.order_id = o.id and s.state = 'settled'
    where o.refund_status in (0, 3) and o.queue_units > 0
    group by o.uid
  ),
  members as materialized (
    select
      b.uid, u.spread_uid, u.agent_level < (select app.top_grade()) as is_kept,
      b.own_orders, coalesce(w.orders, 0) as own_recount, case when u.no_assess then 0 else coalesce(w.orders, 0) end as assessed,
      b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members
    from app.user_balances as b
    join app.users as u on u.uid = b.uid
    left join own as w on w.uid = b.uid
  ),
  handed as (
    select
      m.spread_uid as uid, sum(m.assessed) as direct_orders, count(*) filter (where m.assessed > 0) as direct_members,
      sum(m.assessed + case when m.is_kept then m.umbrella_orders else 0 end) as orders,
      sum((m.assessed > 0)::integer + case when m.is_kept then m.umbrella_members else 0 end) as members
    from members as m
    where m.spread_uid is not null
    group by m.spread_uid
  ),
  handed_on as (
    select h.uid, h.orders, h.members from handed as h join members as m on m.uid = h.uid where not m.is_kept and (h.orders, h.members) <> (0, 0)
    union all
    select u.spread_uid, p.orders, p.members
    from handed_on as p join members as m on m.uid = p.uid join app.users as u on u.uid = p.uid
    where not m.is_kept and u.spread_uid is not null
  ),
  passed as (
    select p.uid, sum(p.orders) as orders, sum(p.members) as members
    from handed_on as p join members as m on m.uid = p.uid
    where m.is_kept
    group by p.uid
  ),
  counters as (
    select
      m.uid, m.is_kept, m.own_orders, m.own_recount,
      array[m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members]::bigint[] as kept,
      array[
        coalesce(h.direct_orders, 0), coalesce(h.orders, 0) + coalesce(p.orders, 0),
        coalesce(h.direct_members, 0), coalesce(h.members, 0) + coalesce(p.members, 0)
      ]::bigint[] as recount
    from members as m
    left join handed as h on h.uid = m.uid
    left join passed as p on p.uid = m.uid
  )
  select 'counters_equal_recount', format('uid %s', k.uid), array_to_string(k.recount, ' '), array_to_string(k.kept, ' ')
  from counters as k where k.is_kept and k.kept <> k.recount
  union all
  select 'own_orders_equal_recount', format('uid %s', k.uid), k.own_recount::text, k.own_orders::text
  from counters as k where k.own_orders <> k.own_recount
$function$;

CREATE OR REPLACE FUNCTION app.recount_counters (
  p_settled_before timestamp with time zone DEFAULT 'infinity'::timestamp WITH time zone
)
  RETURNS TABLE (
    uid              bigint,
    own_orders       integer,
    direct_orders    integer,
    umbrella_orders  integer,
    direct_members   integer,
    umbrella_members integer
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  SET jit TO 'off'
  AS $function$
  with recursive own as (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    join app.settlements as s on s.order_id = o.id and s.state = 'settled' and s.settled_at < p_settled_before
    where o.refund_status in (0, 3) and o.queue_units > 0
    group by o.uid
  ),
  upward as (
    select u.spread_uid as uid, 1 as depth, w.orders
    from own as w join app.users as u on u.uid = w.uid
    where not u.no_assess and u.spread_uid is not null
    union all
    select u.spread_uid, p.depth + 1, p.orders
    from upward as p join app.users as u on u.uid = p.uid
    where u.spread_uid is not null
  ),
  counted as (
    select
      p.uid,
      coalesce(sum(p.orders) filter (where p.depth = 1), 0)::integer as direct_orders, sum(p.orders)::integer as umbrella_orders,
      (count(*) filter (where p.depth = 1))::integer as direct_members, count(*)::integer as umbrella_members
    from upward as p
    group by p.uid
  )
  select
    coalesce(c.uid, w.uid), coalesce(w.orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
    coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)
  from counted as c full join own as w on w.uid = c.uid
$function$;

CREATE OR REPLACE FUNCTION app.refund_order (
  p_order_id   bigint,
  p_lines      jsonb,
  p_refund_ref text,
  p_now        timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_refund app.refunds;
begin
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines);
  end if;
  v_refund := app.carry_out_refund(p_order_id, p_lines, p_refund_ref, p_now);

  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from app.refund_lines as i
  where i.refund_id = v_refund.id and l.id = i.line_id;
  v_order := app.set_refund_status(v_order, p_now);
  if exists (select from app.settlements as s where s.order_id = p_order_id) then
    perform app.book_entries(app.reversal_entries(v_order), '{}', p_now);
    perform app.free_place(v_order, p_now);
  elsif v_order.has_queue_goods and v_order.queue_units = 0 then
    perform app.settle_order(p_order_id, p_now);
  end if;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.refund_participants (
  p_order app.orders
)
  RETURNS bigint[]
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select array_agg(distinct p.uid)
  from (
    select unnest(app.order_participants(p_order)) as uid
    union all
    select l.uid from app.user_bill as l where l.order_id = p_order.id
    union all
    select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
  ) as p
$function$;

CREATE OR REPLACE FUNCTION app.refuse_refund (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_refund app.refunds;
begin
  update app.refunds as r set state = 'refused', decided_at = p_now
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if not found then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  perform app.set_refund_status(v_order, p_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.request_refund (
  p_order_id bigint,
  p_lines    jsonb,
  p_reason   text,
  p_now      timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
  v_refund app.refunds;
begin
  if char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
  v_order := app.lock_for_refund(p_order_id);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'A refund of this order was requested before and is not decided yet.');
  end if;
  v_refund := app.record_refund(p_order_id, 'requested', p_lines, null, p_reason, p_now);
  perform app.set_refund_status(v_order, p_now);
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.run_settlement_jobs (
  p_limit integer                  DEFAULT 50,
  p_now   timestamp with time zone DEFAULT clock_timestamp()
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[] := '{}';
begin
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.share_structure();
  v_orders := array(
    select o
    from app.settlement_jobs as j
    join app.orders as o on o.id = j.order_id
    where j.state = 'waiting' and j.run_after <= p_now
    order by j.run_after, j.order_id
    limit p_limit
    for update of o skip locked
  );
  foreach v_order in array v_orders loop
    v_uids := v_uids || app.order_participants(v_order);
  end loop;
  perform app.lock_balances(v_uids);
  foreach v_order in array v_orders loop
    begin
      perform app.settle_locked_order(v_order, p_now);
    exception when others then
      perform app.postpone_job(v_order.id, format('%s: %s', sqlstate, sqlerrm), p_now);
    end;
  end loop;
  return cardinality(v_orders);
end
$function$;

CREATE OR REPLACE FUNCTION app.set_no_assess (
  p_uid        bigint,
  p_no_assess  boolean,
  p_changed_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_was boolean;
  v_own integer;
begin
  if p_no_assess is null then
    perform app.fail('invalid_argument', 'no_assess must be true or false.');
  end if;
  perform app.own_structure();
  select u.no_assess into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_was = p_no_assess then
    return;
  end if;
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, p_now);

  perform app.lock_balances(array(select a.uid from app.get_upline(p_uid) as a));
  select case when p_no_assess then -b.own_orders else b.own_orders end into v_own
  from app.user_balances as b where b.uid = p_uid;
  perform app.book_entries('{}', app.upline_counts(array(select app.upline_shares(p_uid)), v_own, sign(v_own)::integer), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.set_refund_status (
  p_order app.orders,
  p_now   timestamp with time zone
)
  RETURNS app.orders
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
  v_step integer;
begin
  update app.orders as o
  set queue_base = l.queue_base, queue_units = l.queue_units,
      refund_status = case
        when l.units_left = 0 then 2
        when exists (select from app.refunds as r where r.order_id = o.id and r.state = 'requested') then 1
        when l.units_refunded > 0 then 3
        else 0
      end
  from (
    select
      coalesce(sum(app.amount_left(i.paid, i.quantity, i.refunded_quantity)) filter (where i.is_queue_goods), 0) as queue_base,
      coalesce(sum(i.quantity - i.refunded_quantity) filter (where i.is_queue_goods), 0) as queue_units,
      sum(i.quantity - i.refunded_quantity) as units_left,
      sum(i.refunded_quantity) as units_refunded
    from app.order_lines as i
    where i.order_id = p_order.id
  ) as l
  where o.id = p_order.id
  returning o.* into v_order;

  v_step := app.is_counted(v_order)::integer - app.is_counted(p_order)::integer;
  if v_step <> 0 then
    perform app.book_entries('{}', app.order_counts(v_order, array(select app.upline_shares(v_order.uid)), v_step), p_now);
  end if;
  return v_order;
end
$function$;

CREATE OR REPLACE FUNCTION app.settle_locked_order (
  p_order app.orders,
  p_now   timestamp with time zone
)
  RETURNS app.settlements
  LANGUAGE plpgsql
  SET search_path TO ''
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

CREATE OR REPLACE FUNCTION app.settle_order (
  p_order_id bigint,
  p_now      timestamp with time zone
)
  RETURNS app.settlements
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_order app.orders;
begin
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  perform app.lock_balances(app.order_participants(v_order));
  return app.settle_locked_order(v_order, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION app.share_structure()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(74010001);
end
$function$;

CREATE OR REPLACE FUNCTION app.take_place (
  p_settlement app.settlements,
  p_plan       app.commission_plans,
  OUT          settlement app.settlements,
  OUT          change app.member_change
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_row app.user_balances;
  v_plan app.commission_plans := p_plan;
  v_taken smallint[];
begin
  settlement := p_settlement;
  select b.* into v_row from app.user_balances as b where b.uid = settlement.earner_uid for update;
  settlement.cycle_no := v_row.cycle_no + (not v_row.cycle_is_open)::integer;
  if v_row.cycle_is_open and v_row.cycle_plan_version <> p_plan.version then
    select p.* into v_plan from app.commission_plans as p where p.version = v_row.cycle_plan_version;
  end if;

  v_taken := array(
    select s.place from app.settlements as s
    where s.earner_uid = settlement.earner_uid and s.cycle_no = settlement.cycle_no and s.place_freed_at is null
  );
  settlement.place := 1;
  while settlement.place = any (v_taken) loop
    settlement.place := settlement.place + 1;
  end loop;
  settlement.cycle_plan_version := v_plan.version;
  settlement.ratio := v_plan.tier_ratios[settlement.place];
  settlement.commission := app.cycle_commission(settlement.base, settlement.ratio);
  settlement.commission_points := app.commission_points(settlement.commission, v_plan.points_per_brokerage);
  change := (settlement.earner_uid, 0, 0, 0, 0, 0, 1, settlement.cycle_no, v_plan.version, cardinality(v_taken) + 1 < v_plan.people_per_cycle);
end
$function$;

CREATE OR REPLACE FUNCTION app.upline_counts (
  p_upline        app.upline_member[],
  p_orders        integer,
  p_members       integer,
  p_orders_below  integer             DEFAULT 0,
  p_members_below integer             DEFAULT 0
)
  RETURNS app.member_change[]
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
begin
  return array(
    select (
      a.uid, 0,
      case when a.depth = 1 then p_orders else 0 end, p_orders + p_orders_below,
      case when a.depth = 1 then p_members else 0 end, p_members + p_members_below, 0, null, null, null
    )::app.member_change
    from unnest(p_upline) as a
    where a.is_below_top
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.upline_shares (
  p_uid bigint
)
  RETURNS SETOF app.upline_member
  LANGUAGE plpgsql
  STABLE
  ROWS 20
  SET search_path TO ''
  AS $function$
begin
  return query
    select
      a.depth, a.uid, a.agent_level, l.direct_points, l.umbrella_points,
      coalesce(max(l.umbrella_points) over (order by a.depth rows between unbounded preceding and 1 preceding), 0),
      a.agent_level < t.top_grade
    from app.get_upline(p_uid) as a
    join app.agent_levels as l on l.grade = a.agent_level
    cross join (select max(h.grade) as top_grade from app.agent_levels as h where h.is_active) as t;
end
$function$;

REVOKE ALL ON FUNCTION "app"."active_plan_version"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."active_plan_version"() TO "authenticated";

REVOKE ALL ON FUNCTION "app"."active_plan_version"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."active_plan_version"() TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."active_plan_version"() TO "store_admin";

REVOKE ALL ON FUNCTION "app"."book_entries"(app.bill_entry[], app.member_change[], timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."book_entries"(app.bill_entry[], app.member_change[], timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."book_entries"(app.bill_entry[], app.member_change[], timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."book_settlement"(app.orders, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."book_settlement"(app.orders, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."book_settlement"(app.orders, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."cycle_entries"(app.settlements) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."cycle_entries"(app.settlements) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."cycle_entries"(app.settlements) TO "postgres";

REVOKE ALL ON FUNCTION "app"."has_reported_order"(bigint, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "app"."has_reported_order"(bigint, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "app"."has_reported_order"(bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."has_reported_order"(bigint, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."has_reported_order"(bigint, timestamp WITH time zone) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."is_counted"(app.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."is_counted"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."is_counted"(app.orders) TO "postgres";

REVOKE ALL ON FUNCTION "app"."level_entries"(app.orders, integer, app.upline_member[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."level_entries"(app.orders, integer, app.upline_member[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."level_entries"(app.orders, integer, app.upline_member[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."order_counts"(app.orders, app.upline_member[], integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."order_counts"(app.orders, app.upline_member[], integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."order_counts"(app.orders, app.upline_member[], integer) TO "postgres";

REVOKE ALL ON FUNCTION "app"."order_participants"(app.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."order_participants"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."order_participants"(app.orders) TO "postgres";

REVOKE ALL ON FUNCTION "app"."raise_levels"(app.upline_member[], bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."raise_levels"(app.upline_member[], bigint, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."raise_levels"(app.upline_member[], bigint, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."refund_participants"(app.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."refund_participants"(app.orders) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."refund_participants"(app.orders) TO "postgres";

REVOKE ALL ON FUNCTION "app"."set_refund_status"(app.orders, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."set_refund_status"(app.orders, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."set_refund_status"(app.orders, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."share_structure"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."share_structure"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."share_structure"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."take_place"(app.settlements, app.commission_plans) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."take_place"(app.settlements, app.commission_plans) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."take_place"(app.settlements, app.commission_plans) TO "postgres";

REVOKE ALL ON FUNCTION "app"."upline_counts"(app.upline_member[], integer, integer, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."upline_counts"(app.upline_member[], integer, integer, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."upline_counts"(app.upline_member[], integer, integer, integer, integer) TO "postgres";
