-- Step 3 of a settlement, book: the decisions become rows and events.

-- Precondition: the caller has locked the orders.
create or replace function app.book_maturities(
  p_orders app.orders[], p_settlements app.settlements[], p_plans app.commission_plans[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into app.commission_maturities (order_id, uid, amount_left, matures_at)
  select s.order_id, s.earner_uid, s.commission,
    app.matures_at(o.received_at, p_now, p_plans[s.order_plan_version].holding_days)
  from unnest(p_settlements) as s
  join unnest(p_orders) as o on o.id = s.order_id
  where s.commission > 0;
end
$$;

comment on function app.book_maturities is
  'Records when the commission of settled orders matures, by the holding_days of the plan of each order.';

-- Precondition: the caller has inserted the settlements and locked the members' balances.
create or replace function app.book_rises(p_rises app.level_rise[], p_now timestamptz, p_position bigint default null)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  update app.users as u set agent_level = r.to_level
  from (select x.uid, max(x.to_level) as to_level from unnest(p_rises) as x group by x.uid) as r
  where u.uid = r.uid;
  insert into app.level_changes (uid, from_level, to_level, reason, order_id, position, add_time, cause)
  select r.uid, r.from_level, r.to_level, 'tasks', r.order_id, coalesce(p_position, s.position), p_now, r.cause
  from unnest(p_rises) with ordinality as r (order_id, uid, from_level, to_level, cause, change, ordinality)
  left join app.settlements as s on p_position is null and s.order_id = r.order_id
  order by r.ordinality;
end
$$;

comment on function app.book_rises is
  'Writes the levels that members reached by tasks, each step with the level before it (R5), at p_position or, if '
  'null, at that of the order''s settlement.';

-- Precondition: the caller has locked the members' balances and booked the counts.
create or replace function app.raise_members(
  p_rises app.level_rise[], p_position bigint, p_now timestamptz, p_cause text default null,
  p_cause_id bigint default null
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  if cardinality(p_rises) > 0 then
    perform app.book_rises(p_rises, p_now, p_position);
    perform app.write_events(array(
      select (
        'level.reached', r.uid, r.uid, jsonb_build_object('from_level', r.from_level, 'to_level', r.to_level), p_cause,
        p_cause_id
      )::app.event
      from unnest(p_rises) with ordinality as r (order_id, uid, from_level, to_level, cause, change, ordinality)
      order by r.ordinality
    ), p_now);
  end if;
end
$$;

comment on function app.raise_members is
  'Writes the levels that members reached otherwise than by a settlement, at the position of the cause, with their '
  'events (p_cause, p_cause_id: app.event).';

create or replace function app.book_settlements(
  p_settlements app.settlements[], p_level_version integer, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into app.settlements (
    order_id, position, batch, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force,
    brokerage_scope, base, units,
    earner_uid, eligible_since, cycle_no, place, cycle_plan_version, ratio, rate, commission, commission_points, reason,
    settled_at
  )
  select
    s.order_id, nextval('app.positions'), p_settlements[1].order_id, s.state, s.uid, s.referrer_uid,
    s.order_plan_version, p_level_version,
    s.plan_in_force, s.brokerage_scope, s.base, s.units, s.earner_uid, s.eligible_since, s.cycle_no, s.place,
    s.cycle_plan_version, s.ratio, s.rate,
    s.commission, s.commission_points, s.reason, p_now
  from unnest(p_settlements) with ordinality as s
  order by s.ordinality;
end
$$;

comment on function app.book_settlements is
  'Inserts decided settlements in the given sequence, each with the next position, as one batch.';

-- Generic query plan: see app.get_upline.
-- Precondition: the caller has booked what the events tell.
create or replace function app.write_settlement_events(
  p_settlements app.settlements[], p_rises app.level_rise[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform app.write_events(array(
    select e.event
    from (
      select s.ordinality as settlement, 0 as step, (
        'commission.earned', s.order_id, s.earner_uid, jsonb_build_object(
          'amount', s.commission::text, 'points', trim_scale(s.commission_points), 'cycle_no', s.cycle_no, 'place',
          s.place
        ), 'order', s.order_id
      )::app.event as event
      from unnest(p_settlements) with ordinality as s
      where s.commission > 0
      union all
      select s.ordinality, r.ordinality, (
        'level.reached', r.uid, r.uid, jsonb_build_object('from_level', r.from_level, 'to_level', r.to_level), 'order',
        r.order_id
      )::app.event
      from unnest(p_rises) with ordinality as r
      join unnest(p_settlements) with ordinality as s on s.order_id = r.order_id
    ) as e
    order by e.settlement, e.step
  ), p_now);
end
$$;

comment on function app.write_settlement_events is
  'Writes the events of a batch of settlements, order by order: the commission, then the levels reached.';
