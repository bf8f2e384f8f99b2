-- Booking: entries become rows of the bill and balances of members, in one statement; adjustments, and what members who
-- leave give up.

create or replace function app.new_entry(
  p_uid bigint, p_type text, p_source text, p_brokerage numeric default 0, p_frozen numeric default 0,
  p_available numeric default 0,
  p_order_id bigint default null, p_basis numeric default null, p_rate numeric default null,
  p_agent_level smallint default null,
  p_passed_on numeric default null, p_reverses_id bigint default null, p_withdrawal_id bigint default null,
  p_adjustment_id bigint default null
)
returns app.bill_entry
language sql
immutable
parallel safe
as $$
  select (
    p_uid, p_type, p_source, p_brokerage, p_frozen, p_available, p_order_id, p_basis, p_rate, p_agent_level,
    p_passed_on, p_reverses_id, p_withdrawal_id,
    p_adjustment_id
  )::app.bill_entry
$$;

comment on function app.new_entry is 'Returns a bill row that is to be booked.';

-- Each row of balances is updated once, in one statement (decision 0009).
-- Generic query plan: see app.get_upline.
-- Precondition: the caller has locked the balances.
-- Not idempotent: a unique row that the caller writes, such as the settlement, prevents a second booking.
create or replace function app.book_entries(
  p_entries app.bill_entry[], p_members app.tree_member[], p_cycles app.cycle_state[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  with entries as materialized (
    select e.* from unnest(p_entries) with ordinality as e
  ),
  sums as (
    select
      e.uid, sum(e.brokerage_delta) as brokerage, sum(e.frozen_delta) as frozen, sum(e.available_delta) as available,
      sum(e.brokerage_delta) filter (where app.is_earned(e.type)) as commission,
      sum(e.frozen_delta + e.available_delta) filter (where app.is_earned(e.type)) as points
    from entries as e group by e.uid
  ),
  members as (select m.* from unnest(p_members) as m where m.is_changed),
  cycles as (select c.* from unnest(p_cycles) as c where c.placed <> 0),
  changes as (
    select
      uid, coalesce(s.brokerage, 0) as brokerage, coalesce(s.frozen, 0) as frozen,
      coalesce(s.available, 0) as available,
      coalesce(s.commission, 0) as commission, coalesce(s.points, 0) as points,
      m.own_orders, m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members,
      c.cycle_no, c.plan_version, c.is_open, coalesce(c.placed, 0) as placed
    from sums as s full join members as m using (uid) full join cycles as c using (uid)
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage,
        total_brokerage = b.total_brokerage + t.commission,
        frozen_points = b.frozen_points + t.frozen,
        available_points = b.available_points + t.available,
        total_points_earned = b.total_points_earned + t.points,
        own_orders = coalesce(t.own_orders, b.own_orders),
        direct_orders = coalesce(t.direct_orders, b.direct_orders),
        umbrella_orders = coalesce(t.umbrella_orders, b.umbrella_orders),
        direct_members = coalesce(t.direct_members, b.direct_members),
        umbrella_members = coalesce(t.umbrella_members, b.umbrella_members),
        total_places = b.total_places + t.placed,
        cycle_no = coalesce(t.cycle_no, b.cycle_no),
        cycle_plan_version = coalesce(t.plan_version, b.cycle_plan_version),
        cycle_is_open = coalesce(t.is_open, b.cycle_is_open)
    from changes as t
    where b.uid = t.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
  )
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, reverses_id,
    withdrawal_id, adjustment_id, add_time
  )
  select
    e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
    b.brokerage_price - coalesce(sum(e.brokerage_delta) over later, 0),
    b.frozen_points - coalesce(sum(e.frozen_delta) over later, 0),
    b.available_points - coalesce(sum(e.available_delta) over later, 0),
    e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id,
    e.withdrawal_id, e.adjustment_id, p_now
  from entries as e
  join changed as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
  perform app.forfeit_returned(p_entries, p_now)
  where exists (select from unnest(p_entries) as r where app.gives_back(r.type));
end
$$;

comment on function app.book_entries is
  'Books decisions for members, the third step of the engine: inserts the bill entries in the given sequence and '
  'updates balances, task counts and cycles. Then calls app.forfeit_returned.';

-- Precondition: the caller has locked the adjustment, unless it is new, and the balances of the member.
-- Not idempotent: the caller sets the state to booked in the same transaction.
create or replace function app.book_adjustment(p_adjustment app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.book_entries(
    array[app.new_entry(
      p_adjustment.uid, 'adjustment', 'adjustment', p_adjustment.brokerage_delta, p_adjustment.frozen_delta,
      p_adjustment.available_delta,
      p_adjustment_id => p_adjustment.id
    )],
    '{}', '{}', p_adjustment.decided_at
  );
end
$$;

comment on function app.book_adjustment is 'Changes the balances of a member by an adjustment, with one bill row.';

-- Precondition: the caller has just inserted or decided the adjustment.
create or replace function app.write_adjustment_event(p_adjustment app.adjustments)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.write_event(
    'adjustment.' || case p_adjustment.state when 'waiting' then 'requested' else p_adjustment.state end,
    p_adjustment.id, p_adjustment.uid,
    jsonb_build_object(
      'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
      'available_points', trim_scale(p_adjustment.available_delta)
    ),
    coalesce(p_adjustment.decided_at, p_adjustment.add_time)
  )
$$;

comment on function app.write_adjustment_event is 'Writes the event that an adjustment has reached its state.';

-- Precondition: the caller has locked the balances of the member.
create or replace function app.forfeit_balances(p_uid bigint, p_reason text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  -- Row order: one row.
  insert into app.adjustments (
    uid, brokerage_delta, frozen_delta, available_delta, reason, state, add_time, decided_at, kind
  )
  select p_uid, -greatest(b.brokerage_price, 0), -b.frozen_points, -greatest(b.available_points, 0), p_reason, 'booked',
    p_now, p_now, 'forfeit'
  from app.user_balances as b
  where b.uid = p_uid and greatest(b.brokerage_price, b.frozen_points, b.available_points) > 0
  returning * into v_adjustment;
  if found then
    perform app.book_adjustment(v_adjustment);
    perform app.write_adjustment_event(v_adjustment);
  end if;
end
$$;

comment on function app.forfeit_balances is
  'Takes all commission and points of a member who leaves, or has left, by an adjustment. A debt stays.';

create or replace function app.gave_up(p_uid bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from app.account_deletions as d where d.uid = p_uid and d.done_at is not null)
$$;

comment on function app.gave_up is 'Returns whether a member has left by a deletion that they asked for.';

-- The balances may be below what came back, because a debt takes it first.
-- Precondition: the caller has booked the entries, and has locked the balances.
create or replace function app.forfeit_returned(p_entries app.bill_entry[], p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.forfeit_balances(e.uid, 'Came back after the deletion of the account', p_now)
  from (select distinct r.uid from unnest(p_entries) as r where app.gives_back(r.type)) as e
  where app.gave_up(e.uid)
$$;

comment on function app.forfeit_returned is
  'Takes what has come back to members who gave up what they had (app.gave_up).';

create or replace function app.forfeit_left(
  p_uid bigint, out brokerage numeric, out frozen numeric, out available numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select greatest(-coalesce(sum(a.brokerage_delta), 0), 0), greatest(-coalesce(sum(a.frozen_delta), 0), 0),
    greatest(-coalesce(sum(a.available_delta), 0), 0)
  from app.adjustments as a where a.uid = p_uid and a.kind = 'forfeit' and a.state = 'booked'
$$;

comment on function app.forfeit_left is
  'Returns what a member has given up of each balance, less what refunds took back of it (app.reversals).';

-- Precondition: the caller has locked the balances and books the entries.
-- Not idempotent: the caller books the entries once.
create or replace function app.record_forfeits(p_entries app.bill_entry[], p_now timestamptz)
returns app.bill_entry[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry app.bill_entry;
  v_entries app.bill_entry[] := array[]::app.bill_entry[];
  v_adjustment app.adjustments;
begin
  foreach v_entry in array p_entries loop
    if v_entry.type = 'adjustment' and v_entry.adjustment_id is null then
      insert into app.adjustments (
        uid, brokerage_delta, frozen_delta, available_delta, reason, state, add_time, decided_at, kind
      )
      values (
        v_entry.uid, v_entry.brokerage_delta, v_entry.frozen_delta, v_entry.available_delta,
        'A refund takes back what was given up with the account', 'booked', p_now, p_now,
        'forfeit'
      )
      returning * into v_adjustment;
      perform app.write_adjustment_event(v_adjustment);
      v_entry.adjustment_id := v_adjustment.id;
    end if;
    v_entries := v_entries || v_entry;
  end loop;
  return v_entries;
end
$$;

comment on function app.record_forfeits is
  'Writes the adjustments by which a refund reduces what members have given up (app.reversals), and returns the '
  'entries with their numbers.';

-- Two queries, so that each reads a range of the index: most commission of a member has matured and is not read.
create or replace function app.maturing(p_uid bigint, p_now timestamptz)
returns setof app.commission_maturities
language sql
stable
rows 20
as $$
  select m.* from app.commission_maturities as m
  where m.uid = p_uid and m.matures_at > p_now and (select u.left_at from app.users as u where u.uid = p_uid) is null
  union all
  select m.* from app.commission_maturities as m
  where m.uid = p_uid and m.matures_at is null and (select u.left_at from app.users as u where u.uid = p_uid) is null
$$;

comment on function app.maturing is
  'Returns the commission of a member that has not matured at p_now, by order; none of a member who has left.';

grant execute on function app.maturing(bigint, timestamptz) to store_admin;
