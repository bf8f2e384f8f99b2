-- Checks of reconciliation: settlements, places, decisions, referrers, imports.

-- Only the last cycle of a member is open, and places are freed only while their cycle is open. So every other cycle
-- has all its places taken, and the last one is open if and only if a place is left.
create or replace function app.reconcile_cycles(
  p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with members as materialized (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to
        and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.earner_uid = b.uid))
    ),
    places as materialized (
      select s.*, o.queue_base as base_left
      from app.taken_places as s
      left join app.orders as o on o.id = s.order_id
      where s.earner_uid between p_from and p_to
        and (p_since = '-infinity' or exists (select from app.changed_orders as c where c.earner_uid = s.earner_uid))
    ),
    cycles as materialized (
      select
        p.earner_uid as uid, p.cycle_no, min(p.cycle_plan_version) as plan_version,
        max(p.cycle_plan_version) as greatest_version,
        count(*) filter (where p.place_freed_at is null) as taken, max(p.place) as greatest_place,
        count(distinct p.place) filter (where p.place_freed_at is null) as different,
        lead(p.cycle_no) over (partition by p.earner_uid order by p.cycle_no) as next_no
      from places as p
      group by p.earner_uid, p.cycle_no
    ),
    last_cycles as (
      select c.uid, c.cycle_no, c.plan_version, c.taken < v.people_per_cycle as is_open
      from cycles as c
      join app.commission_plans as v on v.version = c.plan_version
      where c.next_no is null
    ),
    reported as (
      -- Orders that made their buyer eligible (R4), and the position at which a refund left nothing of them.
      select o.uid, o.paid_at,
        max(case when o.refund_status = 2 or o.queue_units = 0 then r.ended_position end) as ended_position,
        bool_or(o.refund_status <> 2 and o.queue_units > 0) as stands
      from app.orders as o
      left join (
        select f.order_id, max(f.decided_position) as ended_position from app.refunds as f
        where app.is_paid_back(f.state) group by f.order_id
      ) as r on r.order_id = o.id
      where o.uid in (select p.earner_uid from places as p) and o.paid_at is not null and o.has_queue_goods
        and not o.below_minimum
      group by o.uid, o.paid_at
    )
    select
      'places_equal_settlements', format('uid %s', b.uid), coalesce(t.places, 0)::text, b.total_places::text
    from members as b
    left join (select c.uid, sum(c.taken) as places from cycles as c group by c.uid) as t on t.uid = b.uid
    where b.total_places <> coalesce(t.places, 0)
    union all
    select
      'cycle_equals_settlements', format('uid %s', b.uid),
      concat_ws(
        ' ', coalesce(l.cycle_no, 0), 'plan', l.plan_version, case when l.is_open then 'open' else 'closed' end
      ),
      concat_ws(' ', b.cycle_no, 'plan', b.cycle_plan_version, case when b.cycle_is_open then 'open' else 'closed' end)
    from members as b
    left join last_cycles as l on l.uid = b.uid
    where (b.cycle_no, b.cycle_plan_version, b.cycle_is_open)
      is distinct from (coalesce(l.cycle_no, 0), l.plan_version, coalesce(l.is_open, false))
    union all
    select
      'cycle_has_its_places', format('cycle %s of uid %s', c.cycle_no, c.uid),
      format('plan %s, places up to %s, next cycle %s', c.plan_version, v.people_per_cycle, c.cycle_no + 1),
      concat_ws(
        ' ', 'plan', c.greatest_version, 'places up to', c.greatest_place, 'taken', c.taken, 'next cycle', c.next_no
      )
    from cycles as c
    join app.commission_plans as v on v.version = c.plan_version
    where c.plan_version <> c.greatest_version or c.greatest_place > v.people_per_cycle or c.different <> c.taken
      or (c.next_no is not null and (c.next_no <> c.cycle_no + 1 or c.taken <> v.people_per_cycle))
    union all
    select
      'order_took_the_lowest_free_place', format('place %s of cycle %s of uid %s', p.place, p.cycle_no, p.earner_uid),
      format('place %s before it', p.place - 1), concat_ws(' ', 'after place', p.lower)
    from (
      select f.*, lag(f.place) over lower_places as lower, lag(f.first) over lower_places as lower_first
      from (
        select t.earner_uid, t.cycle_no, t.place, min(t.position) as first from places as t
        group by t.earner_uid, t.cycle_no, t.place
      ) as f
      window lower_places as (partition by f.earner_uid, f.cycle_no order by f.place)
    ) as p
    where p.place <> coalesce(p.lower, 0) + 1 or p.lower_first > p.first
    union all
    -- Where a place was freed, another order may have taken it again: each took the lowest one that was free by then.
    select
      'order_took_the_lowest_free_place', format('place %s of cycle %s of uid %s', p.place, p.cycle_no, p.earner_uid),
      format('%s places before it taken', p.place - 1), format('%s at the order %s', count(distinct l.place), p.order_id)
    from (
      select f.earner_uid, f.cycle_no from places as f where f.place_freed_at is not null group by f.earner_uid, f.cycle_no
    ) as c
    join places as p on p.earner_uid = c.earner_uid and p.cycle_no = c.cycle_no
    left join places as l on l.earner_uid = p.earner_uid and l.cycle_no = p.cycle_no and l.place < p.place
      and l.position <= p.position and (l.place_freed_position is null or l.place_freed_position > p.position)
    group by p.earner_uid, p.cycle_no, p.place, p.order_id
    having count(distinct l.place) <> p.place - 1
    union all
    select
      'freed_place_equals_refunds', format('order %s', p.order_id),
      format('%s left', p.base_left), coalesce(format('freed %s', app.utc(p.place_freed_at)), 'not freed')
    from places as p
    left join last_cycles as l on l.uid = p.earner_uid and l.cycle_no = p.cycle_no and l.is_open
    where (p.place_freed_at is null and p.base_left = 0 and l.uid is not null)
      or (p.place_freed_at is not null and (p.base_left > 0 or not exists (
        select from app.refunds as r
        where r.order_id = p.order_id and app.is_paid_back(r.state) and r.decided_position = p.place_freed_position
          and r.decided_at = p.place_freed_at
      )))
    union all
    select
      'earner_had_a_reported_order', format('order %s', p.order_id),
      format('an order of uid %s paid by then', p.earner_uid), format('eligible since %s', app.utc(p.eligible_since))
    from places as p
    join app.orders as o on o.id = p.order_id
    left join reported as e on e.uid = p.earner_uid and e.paid_at = p.eligible_since
    where e.uid is null or p.eligible_since > o.paid_at or not (e.stands or e.ended_position > p.position);
end
$$;

comment on function app.reconcile_cycles is
  'Finds cycles and counts of places that differ from the settlements, cycles with wrong places, places freed without '
  'a refund or the other way round, and earners without a reported order (R4).';

create or replace function app.reconcile_decisions(
  p_sample integer default 200, p_seed bigint default 0, p_skip integer default 0,
  p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'decision_equals_what_was_booked', format('order %s, %s', s.order_id, d.subject), d.expected, d.actual
  from (
    select s.* from app.settlements as s where s.state <> 'imported' and s.settled_at >= p_since
    order by hashint8extended(s.order_id, p_seed), s.order_id limit p_sample offset p_skip
  ) as s
  cross join lateral app.settlement_differences(s) as d
$$;

comment on function app.reconcile_decisions is
  'Decides a sample of the settlements since p_since again, without imported orders, and returns what differs '
  '(app.settlement_differences). p_sample is its size, null for all; p_seed draws it; p_skip leaves out as many of '
  'the first ones.';

-- A grant of an order is booked in the transaction of its settlement, so both have the same time.
create or replace function app.reconcile_grants(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with grants as materialized (
      select l.* from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    ),
    reversed as (
      select l.reverses_id, sum(l.brokerage_delta + l.frozen_delta + l.available_delta) as amount
      from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
      group by l.reverses_id
    )
    select
      'grant_has_its_settlement', format('bill %s of order %s', g.id, g.order_id),
      concat_ws(
        ' ', coalesce(s.state, 'no settlement'), s.reason, app.utc(s.settled_at),
        case when g.source = 'cycle' then s.earner_uid end
      ),
      concat_ws(' ', g.source, app.utc(g.add_time), g.uid)
    from grants as g
    left join app.settlements as s on s.order_id = g.order_id
    where s.order_id is null or s.settled_at <> g.add_time
      or (g.source = 'cycle' and s.earner_uid is distinct from g.uid)
      or s.reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'imported')
    union all
    select
      'order_grants_each_kind_once', format('order %s', g.order_id), '1',
      format('%s of %s %s of uid %s', count(*), g.source, g.type, g.uid)
    from grants as g
    group by g.order_id, g.uid, g.type, g.source
    having count(*) > 1
    union all
    select
      'remaining_grant_equals_what_is_left', format('bill %s of order %s', g.id, g.order_id), a.amount::text,
        t.remaining::text
    from grants as g
    join app.orders as o on o.id = g.order_id
    join app.settlements as s on s.order_id = g.order_id
    left join reversed as r on r.reverses_id = g.id
    cross join lateral (
      select app.grant_amount(
        g.type, app.basis_left(g.type, g.source, o.queue_base, o.queue_units, s.rate), g.rate
      ) as amount
    ) as a
    cross join lateral (select g.brokerage_delta + g.frozen_delta + coalesce(r.amount, 0) as remaining) as t
    where t.remaining <> a.amount
    union all
    select
      'points_are_those_of_the_level', format('bill %s of order %s', g.id, g.order_id),
      concat_ws(' ', 'level', l.level, 'pays', p.per_unit, 'passed on', g.passed_on),
      concat_ws(' ', 'level', g.agent_level, 'pays', g.rate, 'passed on', g.passed_on)
    from grants as g
    join app.settlements as s on s.order_id = g.order_id
    join app.level_versions as v on v.version = s.level_version
    cross join lateral (
      -- The points of an order use the levels before it (R5).
      select coalesce((
        select c.to_level from app.level_changes as c where c.uid = g.uid and c.position < s.position
        order by c.position desc, c.id desc limit 1
      ), 0::smallint) as level
    ) as l
    cross join lateral (
      select case g.source
        when 'direct' then v.rules[l.level + 1].direct_points
        else app.umbrella_share(v.rules[l.level + 1].umbrella_points, g.passed_on)
      end as per_unit
    ) as p
    where g.source in ('direct', 'umbrella') and (g.agent_level, g.rate) is distinct from (l.level, p.per_unit);
end
$$;

comment on function app.reconcile_grants is
  'Finds grants without a settlement that could have made them, grants that an order made twice, grants whose '
  'remainder is not what the rest of the order should pay, and points of another level than that before the order.';

create or replace function app.reconcile_imports()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'import_is_finished', format('import %s', i.id), 'finished',
    format(
      'stopped after %s products, %s members, %s orders and %s bill rows; npm run import continues it, and with --abandon ends it',
      i.products, i.members, i.orders, i.bill_rows
    )
  from app.imports as i
  where i.finished_at is null
$$;

comment on function app.reconcile_imports is 'Finds an import that was stopped, or that is running now.';

-- A job that waits for so long is not run at all, or fails with an error that does not count as an attempt (see
-- postpone_job).
create or replace function app.reconcile_jobs()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'job_is_not_dead', format('order %s', j.order_id), 'settled',
    concat_ws(': ', format('dead after %s attempts', j.attempts), j.last_error)
  from app.settlement_jobs as j
  where j.state = 'dead'
  union all
  select 'job_is_not_late', format('order %s', j.order_id), 'settled within 2 hours',
    concat_ws(': ', format('waiting since %s', app.utc(j.created_at)), j.last_error)
  from app.settlement_jobs as j
  where j.state = 'waiting' and j.created_at < now() - interval '2 hours'
  union all
  select 'job_is_not_from_the_future', format('order %s', j.order_id), 'waiting since the payment',
    format('waits until %s', app.utc(j.run_after))
  from app.settlement_jobs as j
  where j.state = 'waiting' and j.created_at > clock_timestamp() + app.clock_tolerance()
$$;

comment on function app.reconcile_jobs is
  'Finds settlement jobs that are dead, are of a future time, or have waited for more than two hours, longer than all '
  'retries take.';

create or replace function app.conceded_lines(p_from bigint, p_to bigint)
returns table (line_id bigint, list app.concession[], list_settled app.concession[])
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  -- Row order: they are added up.
  select c.line_id, array_agg((c.amount, c.units)::app.concession),
    -- Row order: as above.
    array_agg((c.amount, c.units)::app.concession) filter (where c.decided_position < s.position)
  from app.concessions_between(p_from, p_to) as c
  left join app.settlements as s on s.order_id = c.order_id
  group by c.line_id
$$;

comment on function app.conceded_lines is
  'Returns the concessions of the lines of the orders from p_from to p_to: all (list), and those before the '
  'settlement (list_settled).';

create or replace function app.reconcile_orders(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with refunded_before as (
      -- Units that were refunded before their order was settled.
      select i.line_id, sum(i.quantity)::integer as quantity
      from app.refunds as r
      join app.refund_lines as i on i.refund_id = r.id
      join app.settlements as s on s.order_id = r.order_id
      where r.order_id between p_from and p_to and app.is_paid_back(r.state) and r.decided_position < s.position
      group by i.line_id
    ),
    conceded as materialized (select c.* from app.conceded_lines(p_from, p_to) as c),
    queue_goods as materialized (
      select
        l.order_id, sum(l.paid) as paid,
        sum(app.line_left(l.paid, l.quantity, l.refunded_quantity, c.list)) as base_left,
        sum(l.quantity - l.refunded_quantity) as units_left,
        sum(app.line_left(l.paid, l.quantity, coalesce(b.quantity, 0), c.list_settled)) as base_settled,
        sum(l.quantity - coalesce(b.quantity, 0)) as units_settled
      from app.order_lines as l
      left join refunded_before as b on b.line_id = l.id
      left join conceded as c on c.line_id = l.id
      where l.order_id between p_from and p_to and l.is_queue_goods
      group by l.order_id
    )
    select
      'queue_goods_left_equal_lines', format('order %s', o.id),
      format('%s of %s units', coalesce(q.base_left, 0), coalesce(q.units_left, 0)),
      format('%s of %s units', o.queue_base, o.queue_units)
    from app.orders as o
    left join queue_goods as q on q.order_id = o.id
    where o.id between p_from and p_to
      and (o.queue_base, o.queue_units) <> (coalesce(q.base_left, 0), coalesce(q.units_left, 0))
    union all
    select
      'minimum_base_equals_plan', format('order %s', o.id),
      format('%s of at least %s', q.paid, p.minimum_base), case when o.below_minimum then 'below' else 'not below' end
    from app.orders as o
    join queue_goods as q on q.order_id = o.id
    join app.commission_plans as p on p.version = o.plan_version
    where o.below_minimum <> (q.paid < p.minimum_base)
    union all
    select
      'settlement_equals_its_order', format('order %s', s.order_id),
      concat_ws(
        ' ', o.state, o.uid, o.referrer_uid, 'plan', p.version, p.brokerage_scope, q.base_settled, 'of', q.units_settled
      ),
      concat_ws(
        ' ', s.state, s.uid, s.referrer_uid, 'plan', s.order_plan_version, s.brokerage_scope, s.base, 'of', s.units
      )
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    left join app.commission_plans as p on p.version = o.plan_version
    left join queue_goods as q on q.order_id = o.id
    where s.order_id between p_from and p_to
      and ((s.uid, s.referrer_uid, s.order_plan_version, s.brokerage_scope, s.base, s.units, s.state,
        s.reason is not distinct from 'below_minimum')
      is distinct from (
        o.uid, o.referrer_uid, p.version, p.brokerage_scope, coalesce(q.base_settled, 0), coalesce(q.units_settled, 0),
        case when o.is_imported then 'imported' when q.units_settled > 0 then 'settled' else 'refunded' end,
        not o.is_imported and o.below_minimum and q.units_settled > 0
      )
      or s.plan_in_force < s.order_plan_version or s.settled_at < o.paid_at);
end
$$;

comment on function app.reconcile_orders is
  'Finds orders whose queue goods left or minimum base do not follow from lines and plan, and settlements that '
  'contradict their order.';

create or replace function app.reconcile_settlements(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_first timestamptz;
  v_last timestamptz;
begin
  -- The orders of a batch have the same time, so a block range index finds those outside of the slice.
  select min(s.settled_at), max(s.settled_at) into v_first, v_last from app.settlements as s
  where s.order_id between p_from and p_to and s.batch is not null;
  return query
    select 'paid_order_has_settlement_or_job', format('order %s', o.id), 'one of them', 'neither'
    from app.orders as o
    join app.commission_plans as p on p.version = o.plan_version
    where o.id between p_from and p_to and o.paid_at is not null
      and (o.is_imported or (o.has_queue_goods and (p.brokerage_timing = 'on_pay' or o.state = 'received')))
      and not exists (select from app.settlements as s where s.order_id = o.id)
      and not exists (select from app.settlement_jobs as j where j.order_id = o.id)
    union all
    select 'settled_order_has_no_job', format('order %s', j.order_id), 'no job', j.state
    from app.settlement_jobs as j
    where j.order_id between p_from and p_to and exists (select from app.settlements as s where s.order_id = j.order_id)
    union all
    select
      'batch_is_in_the_sequence_of_payments', format('order %s', b.order_id),
      format('settled as number %s of batch %s', b.by_payment, b.first),
      format('settled as number %s of batch %s', b.by_position, b.batch)
    from (
      select
        s.order_id, s.batch, row_number() over payments as by_payment, row_number() over positions as by_position,
        first_value(s.order_id) over positions as first
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      where s.settled_at between v_first and v_last and s.batch in (
        -- Batches of more than one order.
        select n.batch from app.settlements as n where n.settled_at between v_first and v_last and n.batch <> n.order_id
      )
      window payments as (partition by s.batch order by o.paid_at, o.id),
        positions as (partition by s.batch order by s.position)
    ) as b
    where b.order_id between p_from and p_to and (b.by_payment <> b.by_position or b.batch <> b.first)
    union all
    select
      'commission_equals_bill', format('order %s', s.order_id),
      format('%s %s', s.commission, s.commission_points),
      format('%s %s', coalesce(l.commission, 0), coalesce(l.points, 0))
    from app.settlements as s
    left join (
      select b.order_id, sum(b.brokerage_delta) as commission, sum(b.frozen_delta) as points
      from app.bill('-infinity', 'infinity') as b
      where b.order_id between p_from and p_to and b.source = 'cycle' and b.reverses_id is null
      group by b.order_id
    ) as l on l.order_id = s.order_id
    where s.order_id between p_from and p_to
      and (s.commission, s.commission_points) <> (coalesce(l.commission, 0), coalesce(l.points, 0))
    union all
    select
      'place_pays_what_its_plans_say', format('order %s', s.order_id),
      concat_ws(' ', c.tier_ratios[s.place], 'paid as', r.rate, a.commission, e.points),
      concat_ws(' ', s.ratio, 'paid as', s.rate, s.commission, s.commission_points)
    from app.settlements as s
    join app.commission_plans as c on c.version = s.cycle_plan_version
    join app.commission_plans as f on f.version = s.plan_in_force
    cross join lateral (select least(c.tier_ratios[s.place], c.payout_cap, f.payout_cap) as rate) as r
    cross join lateral (select app.cycle_commission(s.base, r.rate) as commission) as a
    cross join lateral (select app.commission_points(a.commission, c.points_per_brokerage) as points) as e
    where s.order_id between p_from and p_to and s.earner_uid is not null
      and (s.ratio, s.rate, s.commission, s.commission_points)
        is distinct from (c.tier_ratios[s.place], r.rate, a.commission, e.points)
    union all
    select 'settlement_waits_for_the_receipt', format('order %s', s.order_id),
      concat_ws(' ', 'not before its receipt', app.utc(o.received_at)), app.utc(s.settled_at)::text
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    join app.commission_plans as p on p.version = s.order_plan_version and p.brokerage_timing = 'confirm'
    where s.order_id between p_from and p_to and s.state = 'settled' and (s.settled_at >= o.received_at) is not true;
end
$$;

comment on function app.reconcile_settlements is
  'Finds paid orders that would never be settled, settled orders with a job, batches out of the sequence of payments, '
  'commissions that differ from the bill or from the plans, and settlements before a receipt that their plan requires.';

-- Since the second version of the rules, a referrer changes only while nothing below is settled; under the first one,
-- somebody may have corrected one by hand. An order that names nobody was placed before its buyer had a referrer.
create or replace function app.reconcile_referrers(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'settlement_names_the_referrer_of_its_buyer', format('order %s', s.order_id),
    coalesce('uid ' || u.spread_uid, 'nobody'), format('uid %s', s.referrer_uid)
  from app.settlements as s
  join app.users as u on u.uid = s.uid
  where s.order_id between p_from and p_to and s.referrer_uid is distinct from u.spread_uid
    and s.referrer_uid is not null and s.state <> 'imported'
    and s.position >= (select v.position from app.rule_versions as v where v.version = 2)
  union all
  select 'earner_of_scope_direct_is_the_referrer', format('order %s', s.order_id), format('uid %s', s.referrer_uid),
    format('uid %s', s.earner_uid)
  from app.settlements as s
  where s.order_id between p_from and p_to and s.brokerage_scope = 'direct' and s.earner_uid <> s.referrer_uid
$$;

comment on function app.reconcile_referrers is
  'Finds settlements that name another referrer than the tree, without imported orders, and settlements with scope '
  'direct that pay somebody else than the referrer.';

create or replace function app.reconcile_causes(p_from bigint, p_to bigint)
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'level_change_has_its_cause', format('level change %s of uid %s', c.id, c.uid),
      format('a rise, and %s at its position and time', c.cause),
    format('from %s to %s at position %s, %s', c.from_level, c.to_level, c.position, app.utc(c.add_time))
  from app.level_changes as c
  where c.uid between p_from and p_to and c.cause <> 'order' and (c.to_level <= c.from_level or not case c.cause
    when 'refund' then exists (
      select from app.refunds as r
      where r.order_id = c.order_id and r.decided_position = c.position and r.decided_at = c.add_time
    )
    -- Hashed once, because these positions have no index.
    when 'assess' then (c.position, c.add_time) in (
      select n.position, n.add_time from app.no_assess_changes as n where not n.to_value
    )
    when 'refer' then (c.position, c.add_time) in (
      select u.spread_position, u.spread_time from app.users as u where u.spread_uid is not null
    )
    when 'import' then exists (select from app.imports as i where i.finished_position = c.position)
    when 'hold' then exists (
      select from app.level_changes as h
      where h.uid = c.uid and h.position = c.position and h.add_time = c.add_time and h.from_held and not h.to_held
    )
  end)
$$;

comment on function app.reconcile_causes is
  'Finds rises by tasks without their recorded cause at their position: refund, assess, refer, import or hold.';
