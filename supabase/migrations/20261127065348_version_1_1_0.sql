-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.get_release_log (
  p_uid       bigint  DEFAULT NULL::bigint,
  p_date_from date    DEFAULT NULL::date,
  p_date_to   date    DEFAULT NULL::date,
  p_page      integer DEFAULT 1,
  p_limit     integer DEFAULT 20,
  p_cursor    text    DEFAULT NULL::text
)
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_seqscan TO 'off'
  AS $function$
declare
  v_position record;
  v_from date := coalesce(p_date_from, app.first_release_day());
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
  v_since timestamptz;
begin
  perform app.require_admin();
  perform app.reach_releases(p_date_from, p_date_to);
  v_position := app.list_position(p_page, p_limit, p_cursor);
  if p_uid is null then
    for v_since in select s.at from app.steps_back('-infinity', v_position.add_time) as s (at) order by s.at desc loop
      v_rows := array(
        select g from app.releases(v_from, v_to, v_since) as g
        where (g.add_time, g.id) < (v_position.add_time, v_position.id)
        order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
      );
      exit when cardinality(v_rows) = p_limit;
    end loop;
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between coalesce(p_date_from, '-infinity') and v_to;
  else
    v_rows := array(
      -- With `offset 0`, the rows of the member are found before they are sorted: a plan made while a month was empty would read all of it by time.
      select m.g
      from (select g from app.releases(v_from, v_to) as g where g.uid = p_uid offset 0) as m
      where ((m.g).add_time, (m.g).id) < (v_position.add_time, v_position.id)
      order by (m.g).add_time desc, (m.g).id desc offset v_position.skip limit p_limit
    );
    select count(*), least(count(*), 1), coalesce(sum(g.release_points), 0) into v_count, v_users, v_points
    from app.releases(v_from, v_to) as g
    where g.uid = p_uid;
  end if;

  return (
    -- A subquery for each nickname: with a join, the generic query plan would read all members, since it does not know how few rows
    -- v_rows has.
    select json_build_object(
      'list', coalesce(json_agg(
        app.release_json(l, (select u.nickname from app.users as u where u.uid = l.uid)) order by l.add_time desc, l.id desc
      ), '[]'),
      'count', v_count,
      'next_cursor', app.make_cursor((v_rows[p_limit]).add_time, (v_rows[p_limit]).id),
      'archived_until', app.utc(nullif(app.archived_until('points_release_log'), '-infinity')),
      'statistics', json_build_object(
        'total_released', trim_scale(v_points), 'users', v_users,
        'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
      )
    )
    from unnest(v_rows) as l
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.decide_levels (
  p_changes   app.tree_change[],
  p_members   app.tree_member[],
  p_levels    app.level_rule[],
  p_lists_all boolean                   DEFAULT false,
  OUT         grants app.level_grant[],
  OUT         rises app.level_rise[],
  OUT         members app.tree_member[]
)
  RETURNS record
  LANGUAGE plpgsql
  IMMUTABLE
  AS $function$
declare
  v_change app.tree_change;
  v_ordinal integer := 0;
  v_member app.tree_member;
  v_ancestor app.tree_member;
  v_rule app.level_rule;
  v_orders_delta integer;
  v_members_delta integer;
  v_orders_below integer;
  v_members_below integer;
  v_index integer;
  v_depth integer;
  v_passed_on numeric;
  v_per_unit numeric;
  v_rising integer[];
begin
  grants := '{}';
  rises := '{}';
  members := p_members;
  foreach v_change in array p_changes loop
    v_ordinal := v_ordinal + 1;
    v_member := members[v_change.member];
    v_orders_below := 0;
    v_members_below := 0;
    case v_change.kind
      when 'assess' then
        v_member.no_assess := v_change.is_set;
        v_orders_delta := case when v_change.is_set then -v_member.own_orders else v_member.own_orders end;
        v_members_delta := pg_catalog.sign(v_orders_delta);
      when 'refer' then
        v_member.referrer := v_change.referrer;
        v_orders_delta := case when v_member.no_assess then 0 else v_member.own_orders end;
        v_members_delta := pg_catalog.sign(v_orders_delta);
        v_orders_below := coalesce(v_change.orders_below, v_member.umbrella_orders);
        v_members_below := coalesce(v_change.members_below, v_member.umbrella_members);
      when 'grade' then
        v_member.agent_level := v_change.to_level;
        v_member.is_held := v_change.is_set;
        v_orders_delta := 0;
        v_members_delta := 0;
      else
        -- A member counts as long as they have at least one order that counts: the first one adds the member, and the loss of the last
        -- one removes them. In both cases, one of the counts before and after is 0.
        v_orders_delta := case when v_member.no_assess then 0 else v_change.step end;
        v_members_delta := case when least(v_member.own_orders, v_member.own_orders + v_change.step) = 0 then v_orders_delta else 0 end;
        v_member.own_orders := v_member.own_orders + v_change.step;
    end case;
    v_member.is_changed := true;
    members[v_change.member] := v_member;

    v_index := v_member.referrer;
    v_depth := 1;
    v_passed_on := 0;
    v_rising := '{}';
    while v_index is not null loop
      v_ancestor := members[v_index];
      v_rule := p_levels[v_ancestor.agent_level + 1];
      if v_change.units > 0 or p_lists_all then
        v_per_unit := case
          -- A max_depth of null sets no limit.
          when v_change.units = 0 or v_depth > v_change.max_depth then 0
          when v_depth = 1 then v_rule.direct_points
          else app.umbrella_share(v_rule.umbrella_points, v_passed_on)
        end;
        if v_per_unit > 0 or p_lists_all then
          grants := grants || (
            v_ordinal, v_change.order_id, v_depth, v_ancestor.uid, v_ancestor.agent_level, v_passed_on, v_per_unit, v_change.units,
            app.level_points(v_per_unit, v_change.units)
          )::app.level_grant;
        end if;
        -- R7: the umbrella points per unit of the level are passed on, also by the referrer, who got the direct points.
        v_passed_on := greatest(v_passed_on, v_rule.umbrella_points);
      end if;
      if v_rule.keeps_counts then
        if v_orders_delta <> 0 or v_orders_below <> 0 then
          if v_depth = 1 then
            v_ancestor.direct_orders := v_ancestor.direct_orders + v_orders_delta;
            v_ancestor.direct_members := v_ancestor.direct_members + v_members_delta;
          end if;
          v_ancestor.umbrella_orders := v_ancestor.umbrella_orders + v_orders_delta + v_orders_below;
          v_ancestor.umbrella_members := v_ancestor.umbrella_members + v_members_delta + v_members_below;
          v_ancestor.is_changed := true;
          members[v_index] := v_ancestor;
        end if;
        -- Only a settlement raises (R5). Counts that change otherwise wait for the next settlement below the member.
        if v_change.kind = 'settle' and app.meets_next_level(v_ancestor, v_rule) then
          v_rising := v_rising || v_index;
        end if;
      end if;
      v_index := v_ancestor.referrer;
      v_depth := v_depth + 1;
    end loop;

    -- Rises follow the walk, because the points of the whole upline use the levels before the order (R5).
    foreach v_index in array v_rising loop
      v_ancestor := members[v_index];
      v_rule := p_levels[v_ancestor.agent_level + 1];
      while app.meets_next_level(v_ancestor, v_rule) loop
        rises := rises || (v_change.order_id, v_ancestor.uid, v_ancestor.agent_level, v_rule.next_grade)::app.level_rise;
        v_ancestor.agent_level := v_rule.next_grade;
        v_rule := p_levels[v_ancestor.agent_level + 1];
      end loop;
      v_ancestor.is_changed := true;
      members[v_index] := v_ancestor;
    end loop;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.find_earner (
  p_order   app.order_facts,
  p_plan    app.commission_plans,
  p_members app.tree_member[],
  p_cycles  app.cycle_state[]
)
  RETURNS integer
  LANGUAGE plpgsql
  IMMUTABLE
  AS $function$
declare
  v_index integer := p_members[p_order.member].referrer;
  -- A max_depth of null sets no limit.
  v_left integer := case p_plan.brokerage_scope when 'direct' then 1 else p_plan.max_depth end;
begin
  while v_index is not null and coalesce(v_left, 1) > 0 loop
    if p_cycles[v_index].reported_since <= p_order.paid_at then
      return v_index;
    end if;
    v_index := p_members[v_index].referrer;
    v_left := v_left - 1;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION app.next_keys (
  p_keys  text,
  p_from  bigint,
  p_batch integer,
  p_since timestamp with time zone DEFAULT '-infinity'::timestamp WITH time zone
)
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_custom_plan'
  AS $function$
declare
  v_limit integer := case p_keys
    when 'sample' then greatest(least(p_batch, 20), p_batch / 500, 1)
    when 'days' then greatest(p_batch / 2000, 1)
    when 'months' then greatest(p_batch / 50000, 1)
    else greatest(p_batch, 1)
  end;
  v_keys bigint[];
begin
  case p_keys
    when 'members' then
      v_keys := array(select u.uid from app.users as u where u.uid >= p_from order by u.uid limit v_limit);
    when 'orders' then
      if p_since > '-infinity' then
        v_keys := array(select c.id from app.changed_orders as c where c.id >= p_from order by c.id limit v_limit);
      else
        v_keys := array(select o.id from app.orders as o where o.id >= p_from order by o.id limit v_limit);
      end if;
    when 'days' then
      v_keys := array(
        select r.release_date - date '2000-01-01' from app.release_runs as r
        where r.release_date >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by r.release_date limit v_limit
      );
    when 'months' then
      v_keys := array(select c.month - date '2000-01-01' from app.closed_months as c where c.month >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by c.month limit v_limit);
    else
      v_keys := array(select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key limit v_limit);
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$function$;

CREATE OR REPLACE FUNCTION app.other_server_state()
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if to_regclass('archive.other_server') is null then
    return 'off';
  end if;
  perform app.require_other_server();
  return 'ok';
exception when others or query_canceled then
  return 'unreachable';
end
$function$;

CREATE OR REPLACE FUNCTION app.reach_releases (
  p_from date,
  p_to   date
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
begin
  if p_from not between '0001-01-01' and '9999-12-31' or p_to not between '0001-01-01' and '9999-12-31' then
    perform app.fail('invalid_argument', 'date_from and date_to are in the years 1 to 9999.');
  end if;
  perform app.reach_months('points_release_log', p_from::timestamp at time zone 'UTC', (p_to + 1)::timestamp at time zone 'UTC');
end
$function$;

CREATE OR REPLACE FUNCTION app.take_payment (
  p_provider   text,
  p_payment_no text,
  p_pay_ref    text,
  p_amount     numeric,
  p_currency   text,
  p_now        timestamp with time zone,
  OUT          order_id bigint,
  OUT          outcome text,
  OUT          reason text
)
  RETURNS record
  LANGUAGE plpgsql
  SET search_path TO 'pg_catalog', 'pg_temp'
  AS $function$
declare
  v_attempt app.payment_attempts;
  v_order app.orders;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_payment_no;
  order_id := coalesce(v_attempt.order_id, (select o.id from app.orders as o where o.order_no = p_payment_no));
  select o.* into v_order from app.orders as o where o.id = take_payment.order_id for update;
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  reason := case
    when v_order.id is null then 'order_unknown'
    when v_attempt.provider <> p_provider then 'provider_differs'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  elsif v_attempt.state <> 'open' and v_order.state = 'unpaid' then
    -- Once the money of an attempt that had ended is recorded, the attempt is paid, and the same payment comes here again.
    outcome := 'attention';
    reason := 'attempt_' || case v_attempt.state when 'paid' then 'closed' else v_attempt.state end;
  else
    begin
      perform app.pay_locked_order(v_order, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
  perform app.record_paid_attempt(v_attempt, p_pay_ref, p_now) where outcome <> 'refused' and v_attempt.state <> 'paid';
end
$function$;

CREATE OR REPLACE FUNCTION app.upline_of (
  p_uids   bigint[],
  p_levels app.level_rule[],
  OUT      uids bigint[],
  OUT      written bigint[]
)
  RETURNS record
  LANGUAGE plpgsql
  STABLE
  SET search_path TO 'pg_catalog', 'pg_temp'
  SET plan_cache_mode TO 'force_generic_plan'
  SET enable_hashjoin TO 'off'
  SET enable_mergejoin TO 'off'
  AS $function$
begin
  with recursive upline as (
    select u.uid, u.spread_uid, u.agent_level, 0 as steps, 0::numeric as passed_on
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select
      r.uid, r.spread_uid, r.agent_level, least(p.steps + 1, 2),
      case p.steps when 0 then 0 else greatest(p.passed_on, p_levels[p.agent_level + 1].umbrella_points) end
    from upline as p join app.users as r on r.uid = p.spread_uid
  )
  select array_agg(m.uid order by m.uid), array_agg(m.uid order by m.uid) filter (where m.is_written)
  into uids, written
  from (
    select p.uid, bool_or(
      p.steps < 2 or p_levels[p.agent_level + 1].keeps_counts or p_levels[p.agent_level + 1].umbrella_points > p.passed_on
    ) as is_written
    from upline as p
    group by p.uid
  ) as m;
end
$function$;

COMMENT ON FUNCTION "app"."decide_cycles"(app.order_facts[], app.tree_member[], app.cycle_state[], app.commission_plans[]) IS 'Decides, order by order, who earns which place of which cycle and what it pays (R1, R3, R4, R10). A change, of kind free or report, only alters the cycles (see app.order_facts). An order takes the lowest free place of the earner''s open cycle; without one, a new cycle opens with the plan of the order and keeps that plan. The rate is the ratio of the place, limited by the payout caps of the cycle''s plan and of the plan in force. Returns the settlements, without position, time and level version, and the cycles after them.';

COMMENT ON FUNCTION "app"."events_after"(integer, xid8, bigint, integer) IS 'Returns up to p_limit events after a cursor, in the sequence in which all readers see them, up to the oldest open transaction: whatever is committed later comes after what this returns.';

COMMENT ON FUNCTION "app"."lock_balances"(bigint[]) IS 'Locks the balance rows of members by ascending uid, after the queue of the lowest one (R10; docs/decisions/0002-one-lock-order.md).';

COMMENT ON FUNCTION "app"."new_facts"(text, integer, bigint, bigint, bigint, integer, integer, timestamp
  with time zone, numeric, integer, text, boolean) IS 'Returns what the rules know of an order or of a change (see the type).';

COMMENT ON FUNCTION "app"."reach_releases"(date, date) IS 'Raises invalid_argument if a day is outside the years 1 to 9999, since the last day of Postgres has no next one, and month_archived as app.reach_months does. A day may be null.';

COMMENT ON FUNCTION "app"."read_members"(bigint[], bigint[]) IS 'Returns the members with these uids, sorted by uid, as decisions see them, the cycles of those in p_earners, and the versions of the plans of these cycles.';

COMMENT ON TABLE "app"."compacted_months" IS 'Months of the bill and of the release log of which app.compacted_releases has the releases (state compacted), or is about to have them, or to have them no longer (app.compact_month, app.expand_month). A month that is neither has no row.';

COMMENT ON TYPE "app"."order_facts" IS 'What the rules know of an order, or of a change (see kind).';

REVOKE ALL ON FUNCTION "app"."reach_releases"(date, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reach_releases"(date, date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_releases"(date, date) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."reach_releases"(date, date) TO "store_admin", "store_key";

insert into app.manifest (kind, name, definition) values
  ('function', 'app.reach_releases(date,date)', 'function, returns void, stable, with the rights of the caller, search_path=pg_catalog, pg_temp'),
  ('privilege', 'execute on function app.reach_releases(date,date) to store_admin', 'granted'),
  ('privilege', 'execute on function app.reach_releases(date,date) to store_key', 'granted');
