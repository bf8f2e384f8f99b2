-- Refunds as decisions: what the rest of the order should have paid, and the entries that make up the difference.

create or replace function app.reversals(p_order app.orders, p_rate numeric, p_grants app.remaining_grant[])
returns app.bill_entry[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select g.*, l.basis as basis_left, app.is_money(g.type) as is_money,
      g.remaining - app.grant_amount(g.type, l.basis, g.rate) as excess
    from unnest(p_grants) as g
    cross join lateral (
      select app.basis_left(g.type, g.source, p_order.queue_base, p_order.queue_units, p_rate) as basis
    ) as l
  ),
  split as (
    select d.*, least(d.excess, greatest(
      d.frozen_points - coalesce(sum(d.excess) filter (where not d.is_money) over earlier, 0), 0
    )) as from_frozen
    from due as d
    window earlier as (partition by d.uid order by d.bill_id rows between unbounded preceding and 1 preceding)
  ),
  restored as (
    select
      x.uid, least(coalesce(sum(x.excess) filter (where x.is_money), 0), max(x.forfeited_brokerage)) as brokerage,
      least(coalesce(sum(x.from_frozen) filter (where not x.is_money), 0), max(x.forfeited_frozen)) as frozen,
      least(
        coalesce(sum(x.excess - x.from_frozen) filter (where not x.is_money), 0), max(x.forfeited_available)
      ) as available
    from split as x
    where x.excess > 0
    group by x.uid
  )
  select coalesce((
    select array_agg(
      app.new_entry(r.uid, 'adjustment', 'adjustment', r.brokerage, r.frozen, r.available) order by r.uid
    )
    from restored as r where greatest(r.brokerage, r.frozen, r.available) > 0
  ), '{}') || coalesce(array_agg(app.new_entry(
    x.uid, app.reversal_of(x.type), x.source,
    p_brokerage => case when x.is_money then -x.excess else 0 end,
    p_frozen => case when x.is_money then 0 else -x.from_frozen end,
    p_available => case when x.is_money then 0 else x.from_frozen - x.excess end,
    p_order_id => p_order.id, p_basis => x.basis_left, p_rate => x.rate, p_agent_level => x.agent_level,
    p_reverses_id => x.bill_id
  ) order by x.bill_id), '{}')
  from split as x
  where x.excess > 0
$$;

comment on function app.reversals is
  'Returns the entries that reduce an order''s grants to what the rest of it should pay, at the same place, rate and '
  'levels. Points are taken from the frozen ones first, then from the available ones, which may become negative. A '
  'reversal states the basis that is left, not what is taken back. What a member forfeited by leaving is reduced '
  'first, by an adjustment (app.record_forfeits).';

create or replace function app.decide_refund(
  p_facts app.refund_facts, out entries app.bill_entry[], out members app.tree_member[], out cycles app.cycle_state[],
  out rises app.level_rise[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders := p_facts.before;
  v_after app.orders := p_facts.after;
  v_settlement app.settlements := p_facts.settlement;
  v_state app.engine_state := p_facts.state;
  v_buyer integer;
  v_step integer;
  v_levels record;
begin
  entries := case when v_after.points_left < v_before.points_left then array[
    app.checkout_entry(v_before, v_before.points_left - v_after.points_left)
  ] else '{}' end;
  members := '{}';
  cycles := '{}';
  rises := '{}';
  if v_settlement.order_id is null then
    return;
  end if;
  entries := entries || app.reversals(v_after, v_settlement.rate, p_facts.grants);

  v_buyer := app.member_index(v_state, v_before.uid);
  if v_after.queue_base = 0 and v_settlement.place_freed_at is null then
    cycles := array(
      select c from unnest((app.decide_cycles(
        array[app.new_facts('free', v_buyer, v_before.id)],
        v_state.members, v_state.cycles, v_state.plans
      )).cycles) as c
      where c.placed <> 0
      order by c.uid
    );
  end if;

  v_step := app.is_counted(v_after.queue_units, v_after.refund_status, v_after.below_minimum)::integer
    - app.is_counted(v_before.queue_units, v_before.refund_status, v_before.below_minimum)::integer;
  if v_step <> 0 and v_settlement.state in ('settled', 'imported') then
    v_levels := app.decide_levels(
      array[app.new_tree_change('count', v_buyer, v_before.id, p_step => v_step, p_raises => true)],
      v_state.members, v_state.levels
    );
    members := v_levels.members;
    rises := v_levels.rises;
  end if;
end
$$;

comment on function app.decide_refund is
  'Decides what a refund, a request or its end changes: returned points, reversals, a place, which is freed if no base '
  'is left and the cycle is open, and task counts (R8). Nobody falls; members rise if the order counts again. Returns '
  'the entries, the members after it, the earner''s cycle if the place is freed, and the rises. An order that is not '
  'settled only returns points.';

-- A row of a request from before 2.0.0 does not say what was asked for, but its units were.
create or replace function app.names_queue_goods(p_refund_id bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.refund_lines as x join app.order_lines as l on l.id = x.line_id
    where x.refund_id = p_refund_id and l.is_queue_goods
      and (
        x.asked > 0 or not exists (select from app.refund_lines as y where y.refund_id = p_refund_id and y.asked > 0)
      )
  )
$$;

comment on function app.names_queue_goods is
  'Returns whether a refund request asks for queue goods, so that it holds the commission of its order while open.';

-- Precondition: the caller has locked the order and written the refund and its effects.
create or replace function app.hold_events(p_before app.orders, p_refund app.refunds)
returns app.event[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg((
    case p_refund.state when 'requested' then 'commission.held' else 'commission.released' end, m.order_id, m.uid,
    jsonb_build_object('amount', m.amount_left::text), 'refund', p_refund.id
  )::app.event order by m.uid), '{}')
  from app.commission_maturities as m
  join app.users as u on u.uid = m.uid and u.left_at is null
  where m.order_id = p_refund.order_id and m.amount_left > 0 and app.names_queue_goods(case p_refund.state
    when 'requested' then p_refund.id
    -- The request that was open: the last one that was answered, if it held commission. A refund that answers nothing
    -- leaves it open.
    else (
      select r.id from app.refunds as r
      where p_before.refund_status = 1 and r.order_id = p_refund.order_id and r.position <> r.decided_position
        and exists (select from app.settlements as s where s.order_id = r.order_id and s.position < r.position)
        and not exists (select from app.refunds as o where o.order_id = p_refund.order_id and o.state = 'requested')
      order by r.decided_position desc limit 1
    )
  end)
$$;

comment on function app.hold_events is
  'Returns the event that a refund request holds the commission of its order, or that its end releases what is left; '
  'none if no hold changes. p_before is the order before it.';

create or replace function app.refund_event(p_refund app.refunds, p_uid bigint)
returns app.event
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select (
    'refund.' || p_refund.state, p_refund.order_id, p_uid,
    jsonb_build_object('refund_id', p_refund.id, 'amount', p_refund.amount::text, 'points', trim_scale(p_refund.points))
      || case when p_refund.refusal_reason <> '' then '{"has_reason": true}' else '{}' end::jsonb,
    null, null
  )::app.event
$$;

comment on function app.refund_event is
  'Returns the event that a refund has reached its state, which is part of the event''s type. p_uid is the buyer.';

-- Precondition: the caller has locked the structure, the order and the balances.
create or replace function app.book_refund_effects(p_facts app.refund_facts, p_refund app.refunds, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_after app.orders := p_facts.after;
  v_decision record := app.decide_refund(p_facts);
  v_entries app.bill_entry[] := app.record_forfeits(v_decision.entries, p_now);
begin
  update app.orders
  set queue_base = v_after.queue_base, queue_units = v_after.queue_units, refund_status = v_after.refund_status,
    points_left = v_after.points_left
  where id = v_after.id;
  perform app.book_entries(v_entries, v_decision.members, v_decision.cycles, p_now);
  update app.commission_maturities as m set amount_left = m.amount_left - r.taken
  from (
    select -sum(e.brokerage_delta) as taken from unnest(v_decision.entries) as e where e.type = 'brokerage_reversal'
  ) as r
  where m.order_id = v_after.id and r.taken > 0;
  if cardinality(v_decision.cycles) > 0 then
    update app.settlements set place_freed_at = p_now,
      place_freed_position = coalesce(p_refund.decided_position, p_refund.position)
    where order_id = v_after.id;
  end if;
  perform app.write_events(app.refund_event(p_refund, v_after.uid) || array(
    select (
      'commission.reversed', v_after.id, e.uid, jsonb_build_object('amount', (-e.brokerage_delta)::text), 'refund',
      p_refund.id
    )::app.event
    from unnest(v_decision.entries) with ordinality as e
    where e.type = 'brokerage_reversal'
    order by e.ordinality
  ) || app.hold_events(p_facts.before, p_refund), p_now);
  perform app.raise_members(
    v_decision.rises, coalesce(p_refund.decided_position, p_refund.position), p_now, 'refund', p_refund.id
  );
end
$$;

comment on function app.book_refund_effects is
  'Books the decided effects of a refund, a request or its end (third step of the engine). The row of the refund is '
  'already written.';

create or replace function app.order_with_refund(p_order app.orders, p_items app.refund_item[], p_is_requested boolean)
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := p_order;
begin
  select
    coalesce(sum(l.amount_left) filter (where l.is_queue_goods), 0),
      coalesce(sum(l.units_left) filter (where l.is_queue_goods), 0),
    case
      when sum(l.units_left) = 0 then 2
      when p_is_requested then 1
      -- Freight alone refunds a part, too.
      when p_items is not null
        or exists (select from app.refunds as r where r.order_id = p_order.id and app.is_paid_back(r.state)) then 3
      else 0
    end,
    sum(l.points_left)
  into v_order.queue_base, v_order.queue_units, v_order.refund_status, v_order.points_left
  from app.lines_with_refund(p_order.id, p_items) as l;
  return v_order;
end
$$;

comment on function app.order_with_refund is
  'Returns an order as it is after a refund of these items or, with p_items null, after a request or its end. '
  'p_is_requested: a request is open then.';

-- Reads the table: only releases can stand elsewhere.
create or replace function app.remaining_grants(p_order_id bigint)
returns setof app.remaining_grant
language sql
stable
rows 10
set search_path = pg_catalog, pg_temp
as $$
  select
    l.id, l.uid, l.type, l.source, l.rate, l.agent_level,
    l.brokerage_delta + l.frozen_delta + coalesce((
      select sum(r.brokerage_delta + r.frozen_delta + r.available_delta)
      from app.user_bill as r
      where r.order_id = p_order_id and r.reverses_id = l.id
    ), 0),
    b.frozen_points + f.frozen, f.available, f.brokerage, f.frozen
  -- With `offset 0`, the rows of the order are found before they are joined: with little known of a month, Postgres
  -- would read all of it by member.
  from (select g.* from app.user_bill as g where g.order_id = p_order_id offset 0) as l
  join app.user_balances as b on b.uid = l.uid
  cross join lateral app.forfeit_left(l.uid) as f
  where l.reverses_id is null and app.is_earned(l.type)
$$;

comment on function app.remaining_grants is 'Returns every grant of an order with what reversals have left of it.';

-- Precondition: the caller has locked the structure and the order, unless p_locks is false.
-- Locks: balances by uid.
create or replace function app.load_refund(
  p_order app.orders, p_items app.refund_item[], p_is_requested boolean, p_locks boolean default true
)
returns app.refund_facts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_facts app.refund_facts;
begin
  v_facts.before := p_order;
  v_facts.after := app.order_with_refund(p_order, p_items, p_is_requested);
  v_facts.settlement := (select s from app.settlements as s where s.order_id = p_order.id);
  v_facts.state := app.load_state(
    array[p_order.uid],
    p_with_cycles => array(
      -- With `offset 0`, the rows of the order are found before they are sorted; of the table, as in
      -- app.remaining_grants.
      select l.uid from (select b.uid from app.user_bill as b where b.order_id = p_order.id offset 0) as l
      union
      select p_order.uid where p_order.points_left > 0
      union
      select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
      order by uid
    ),
    p_locks => p_locks
  );
  v_facts.grants := array(select g from app.remaining_grants(p_order.id) as g order by g.bill_id);
  return v_facts;
end
$$;

comment on function app.load_refund is
  'Locks the members concerned and reads what app.decide_refund needs (first step of the engine). p_items are '
  'refunded; null for a request or its end. p_is_requested: a request is open afterwards. With p_locks false it only '
  'reads.';

create or replace function app.foreseen_bill(p_entries app.bill_entry[], p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(app.bill_json(f.row) - 'id' order by f.ordinality), '[]')
  from (
    select e.ordinality, (
      null, e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
      b.brokerage_price + sum(e.brokerage_delta) over up_to, b.frozen_points + sum(e.frozen_delta) over up_to,
      b.available_points + sum(e.available_delta) over up_to,
      e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id, e.withdrawal_id, e.adjustment_id, p_now
    )::app.user_bill as row
    from unnest(p_entries) with ordinality as e
    join app.user_balances as b on b.uid = e.uid
    window up_to as (partition by e.uid order by e.ordinality)
  ) as f
$$;

comment on function app.foreseen_bill is
  'Returns entries that are not booked in the form of bill rows: without an id, with the balances that would follow.';

create or replace function app.task_counts_json(p_member app.tree_member)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'direct_orders', p_member.direct_orders, 'umbrella_orders', p_member.umbrella_orders,
    'direct_members', p_member.direct_members, 'umbrella_members', p_member.umbrella_members
  )
$$;

comment on function app.task_counts_json is 'Returns the task counts of a member as the API shows them.';

create or replace function app.refund_preview_json(p_order app.orders, p_items app.refund_item[], p_freight numeric)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'amount', (sum(l.amount - l.amount_left) + p_freight)::text, 'freight', p_freight::numeric(14,2)::text, 'points',
    trim_scale(sum(l.points - l.points_left)),
    'freight_left', app.freight_left(p_order)::text,
    'lines', jsonb_agg(jsonb_build_object(
      'line_id', l.line_id, 'units', l.units - l.units_left, 'amount', (l.amount - l.amount_left)::text, 'left',
      l.amount::text
    ) order by l.line_id)
  )
  from app.lines_with_refund(p_order.id, p_items) as l
$$;

comment on function app.refund_preview_json is
  'Returns what a refund of these items and this freight pays back to the buyer, as the API shows it: in all, and by '
  'line with what is left before.';

create or replace function app.foreseen_members(
  p_before app.tree_member[], p_after app.tree_member[], p_rises app.level_rise[]
)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'counts', coalesce((
      select jsonb_agg(
        jsonb_build_object('uid', a.uid, 'before', app.task_counts_json(b), 'after', app.task_counts_json(a))
        order by a.uid
      )
      from unnest(p_after) as a
      join unnest(p_before) as b on b.uid = a.uid
      where app.task_counts_json(a) <> app.task_counts_json(b)
    ), '[]'),
    'rises', coalesce((
      select jsonb_agg(
        jsonb_build_object('uid', m.uid, 'from_level', m.from_level, 'to_level', m.to_level) order by m.uid
      )
      from (
        select r.uid, min(r.from_level) as from_level, max(r.to_level) as to_level from unnest(p_rises) as r
        group by r.uid
      ) as m
    ), '[]')
  )
$$;

comment on function app.foreseen_members is
  'Returns, of a decision that is not booked, whose task counts would change, by uid, and who would rise, as the API '
  'shows them.';

create or replace function app.order_to_preview(p_order_id bigint)
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  perform app.require_paid(v_order);
  return v_order;
end
$$;

comment on function app.order_to_preview is 'Returns a paid order without locking it.';

create or replace function app.preview_refund(
  p_order_id bigint, p_lines jsonb, p_now timestamptz, p_amount numeric default null, p_freight numeric default null,
  p_answers_request boolean default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.order_to_preview(p_order_id);
  v_items app.refund_item[];
  v_answer app.request_answer;
  v_freight numeric;
  v_facts app.refund_facts;
  v_decision record;
begin
  v_items := app.refund_items(p_order_id, p_lines, coalesce(p_answers_request, true), true, p_amount, p_freight);
  v_answer := app.request_answer(p_order_id, v_items, p_answers_request);
  v_freight := app.refund_freight(v_order, v_items, coalesce(p_freight, case when p_amount is not null then 0 end));
  v_facts := app.load_refund(
    v_order, v_items, p_is_requested => v_answer.state is not distinct from 'requested', p_locks => false
  );
  v_decision := app.decide_refund(v_facts);
  return app.refund_preview_json(v_order, v_items, v_freight) || jsonb_build_object(
    'refund_status', (v_facts.after).refund_status, 'request_state', v_answer.state, 'is_imported', v_order.is_imported,
    'reversals', app.foreseen_bill(v_decision.entries, app.effect_time(p_now)),
    'reopened_place', case when cardinality(v_decision.cycles) > 0 then jsonb_build_object(
      'uid', (v_facts.settlement).earner_uid, 'cycle_no', (v_facts.settlement).cycle_no, 'place',
      (v_facts.settlement).place
    ) end
  ) || app.foreseen_members((v_facts.state).members, v_decision.members, v_decision.rises);
end
$$;

comment on function app.preview_refund is
  'Returns what app.refund_order would pay back, reverse and for whom, which place it would free, and whose task '
  'counts and levels it would change, without booking it.';

create or replace function app.preview_refusal(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.order_to_preview(p_order_id);
  v_facts app.refund_facts;
  v_decision record;
begin
  perform app.require_open_request(p_order_id);
  v_facts := app.load_refund(v_order, p_items => null, p_is_requested => false, p_locks => false);
  v_decision := app.decide_refund(v_facts);
  return app.foreseen_members((v_facts.state).members, v_decision.members, v_decision.rises);
end
$$;

comment on function app.preview_refusal is
  'Returns whose task counts and levels app.refuse_refund would change, without booking it.';

create or replace function app.preview_request(p_order_id bigint, p_lines jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.order_to_preview(p_order_id);
  v_items app.refund_item[];
begin
  perform app.require_open_window(v_order, app.effect_time(null));
  v_items := app.refund_items(p_order_id, p_lines, false);
  return app.refund_preview_json(v_order, v_items, app.default_freight(v_order, v_items));
end
$$;

comment on function app.preview_request is
  'Returns what a request for these units would pay back to the buyer, with the default freight '
  '(app.refund_preview_json). Raises refund_window_over as the request would.';
