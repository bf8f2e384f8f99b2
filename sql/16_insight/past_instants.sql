-- The figures of a past instant: what was booked before it, from the bill and from the histories of members, cycles,
-- levels and plans.

create or replace function app.past_time(p_as_of timestamptz, p_now timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_as_of is null then
    return null;
  elsif p_as_of > p_now or p_as_of < '2000-01-01T00:00:00Z' then
    perform app.fail('invalid_argument', 'as_of is between the year 2000 and now.');
  elsif exists (select from app.users) and not exists (
    select from app.users as u
    where u.add_time < p_as_of
      and not exists (select from app.imported_members as i where i.uid = u.uid and i.imported_at >= p_as_of)
  ) then
    perform app.fail('invalid_argument', 'The store had no members at the time of as_of.');
  end if;
  return p_as_of;
end
$$;

comment on function app.past_time is
  'Returns p_as_of; null stands for now. Raises invalid_argument if it has not come, or is before the year 2000 or '
  'the first member. An imported member counts from the import.';

-- p_at null: as stored now. Commission whose stored maturity is before p_at had matured then, too, so only the rest is
-- looked at. So had what matures at p_at, unless its order is received at p_at itself.
create or replace function app.maturing_at(
  p_at timestamptz, p_now timestamptz, p_after bigint default 0, p_to bigint default 9223372036854775807
)
returns table (uid bigint, amount numeric, matures_at timestamptz)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  if p_at is null then
    return query
      select m.uid, m.amount_left, m.matures_at
      from app.commission_maturities as m
      where m.uid > p_after and m.uid <= p_to and m.amount_left > 0 and (m.matures_at is null or m.matures_at > p_now)
        and not exists (select from app.users as u where u.uid = m.uid and u.left_at is not null);
  else
    return query
      select t.uid, t.amount, t.matures_at
      from (
        select
          m.uid, case when o.received_at < p_at then m.matures_at end as matures_at,
          case
            when exists (
              select from app.refunds as r
              where r.order_id = m.order_id and app.is_paid_back(r.state) and r.decided_at >= p_at
            )
              then app.cycle_commission((app.order_at(m.order_id, p_at, 0, true)).base, s.rate)
            else m.amount_left
          end as amount
        from app.commission_maturities as m
        join app.settlements as s on s.order_id = m.order_id and s.settled_at < p_at
        join app.orders as o on o.id = m.order_id
        where m.uid > p_after and m.uid <= p_to
          and (m.matures_at is null or m.matures_at > p_at or m.matures_at = p_at and o.received_at = p_at)
          and not exists (select from app.users as u where u.uid = m.uid and u.left_at < p_at)
      ) as t
      where t.amount > 0;
  end if;
end
$$;

comment on function app.maturing_at is
  'Returns the commission of the members after p_after up to p_to that was maturing at p_at (null: now), after the '
  'refunds before it, without members who had left.';

-- p_at null: as stored now. A request was open from its time until its answer; how much its order had earned then is
-- computed as in app.maturing_at. The first version of the rules held nothing.
create or replace function app.held_at(
  p_at timestamptz, p_now timestamptz, p_after bigint default 0, p_to bigint default 9223372036854775807
)
returns table (uid bigint, order_id bigint, amount numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  if p_at is null then
    return query select h.uid, h.order_id, h.amount from app.held_now(p_now, p_after, p_to) as h;
  elsif p_at >= (select coalesce(v.in_force_since, '-infinity') from app.rule_versions as v where v.version = 2) then
    return query
      select t.uid, t.order_id, t.amount
      from (
        select
          m.uid, m.order_id, case
            when exists (
              select from app.refunds as e
              where e.order_id = m.order_id and app.is_paid_back(e.state) and e.decided_at >= p_at
            )
              then app.cycle_commission((app.order_at(m.order_id, p_at, 0, true)).base, s.rate)
            else m.amount_left
          end as amount
        from app.refunds as r
        join app.commission_maturities as m on m.order_id = r.order_id
        join app.settlements as s on s.order_id = m.order_id and s.settled_at < p_at
        join app.orders as o on o.id = m.order_id
        join app.users as u on u.uid = m.uid and coalesce(u.left_at >= p_at, true)
        where r.created_at < p_at and (r.decided_at is null or r.decided_at >= p_at) and m.uid > p_after
          and m.uid <= p_to
          and m.matures_at <= p_at and o.received_at < p_at and app.names_queue_goods(r.id)
      ) as t
      where t.amount > 0;
  end if;
end
$$;

comment on function app.held_at is
  'Returns the matured commission of the members after p_after up to p_to that open refund requests held at p_at '
  '(null: now), by order, after the refunds before it, without members who had left.';

-- The balances of the past are those before each member's first bill row at or after p_at, or those of now if there is
-- none. Who has points to release has a row within days, so most members are found in the first month, and the later
-- ones are not probed for them.
create or replace function app.balances_query(p_at timestamptz)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when p_at is null then
    'select b.uid, b.brokerage_price as brokerage, b.frozen_points as frozen, b.available_points as available from app.user_balances as b'
  else $sql$
    select b.uid, coalesce(f.brokerage, l.brokerage, b.brokerage_price) as brokerage,
      coalesce(f.frozen, l.frozen, b.frozen_points) as frozen,
      coalesce(f.available, l.available, b.available_points) as available
    from app.user_balances as b
    left join lateral (
      select r.uid, r.brokerage_after - r.brokerage_delta as brokerage, r.frozen_after - r.frozen_delta as frozen,
        r.available_after - r.available_delta as available
      from app.bill($1, $2) as r where r.uid = b.uid order by r.add_time, r.id limit 1
    ) as f on true
    left join lateral (
      select r.brokerage_after - r.brokerage_delta as brokerage, r.frozen_after - r.frozen_delta as frozen,
        r.available_after - r.available_delta as available
      from app.bill($2, 'infinity') as r where f.uid is null and r.uid = b.uid order by r.add_time, r.id limit 1
    ) as l on true
  $sql$ end
$$;

comment on function app.balances_query is
  'Returns the text of a query for the balances of all members at p_at (null: now): uid, brokerage, frozen, '
  'available. Its parameters are p_at and a time 31 days later.';

create or replace function app.owed_at(
  p_at timestamptz, p_now timestamptz, p_after bigint default 0, p_to bigint default 9223372036854775807
)
returns table (
  uid bigint, owed numeric, withdrawable numeric, held_by_refunds numeric, maturing numeric, after_receipt numeric,
  next_maturity timestamptz, reserved numeric,
  frozen numeric, available numeric, left_commission numeric, left_frozen numeric, left_available numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format($sql$
    with balances as (
      %s
      where b.uid > $4 and b.uid <= $5
    ), maturing as (
      select m.uid, sum(m.amount) as amount,
        coalesce(sum(m.amount) filter (where m.matures_at is null), 0.00) as after_receipt, min(m.matures_at) as next
      from app.maturing_at($1, $3, $4, $5) as m group by m.uid
    ), held as (
      select h.uid, sum(h.amount) as amount from app.held_at($1, $3, $4, $5) as h group by h.uid
    ), reserved as (
      select w.uid, sum(w.amount) as amount
      from app.withdrawals as w
      where w.uid > $4 and w.uid <= $5 and (w.ended_at is null or w.ended_at >= $1) and ($1 is null or w.add_time < $1)
      group by w.uid
    )
    select
      b.uid, greatest(b.brokerage, 0.00) + coalesce(r.amount, 0),
      b.brokerage - coalesce(m.amount, 0) - h.amount - l.commission, h.amount, coalesce(m.amount, 0.00),
      coalesce(m.after_receipt, 0.00), m.next, coalesce(r.amount, 0.00), b.frozen - l.frozen, b.available - l.available,
      l.commission, l.frozen, l.available
    from balances as b
    join app.users as u on u.uid = b.uid
    cross join lateral (
      select
        case when s.has_left then greatest(b.brokerage, 0.00) else 0.00 end as commission,
          case when s.has_left then b.frozen else 0.0000 end as frozen,
        case when s.has_left then greatest(b.available, 0.0000) else 0.0000 end as available
      from (select coalesce(u.left_at < $1, $1 is null and u.left_at is not null) as has_left) as s
    ) as l
    left join maturing as m on m.uid = b.uid
    left join held as d on d.uid = b.uid
    cross join lateral (
      select app.held_of_matured(b.brokerage - coalesce(m.amount, 0), coalesce(d.amount, 0.00)) as amount
    ) as h
    left join reserved as r on r.uid = b.uid
  $sql$, app.balances_query(p_at)) using p_at, p_at + interval '31 days', p_now, p_after, p_to;
end
$$;

comment on function app.owed_at is
  'Returns what the store owed each member after p_after up to p_to at p_at (null: now), and its parts. owed is the '
  'commission balance, at least 0, and what is reserved. withdrawable is negative for a debt. What members who left '
  'have not given up is in owed and left_… only.';

-- Who has left has no account, and the index of accounts finds the members without one.
create or replace function app.left_totals(
  p_at timestamptz,
  out members bigint, out commission numeric, out frozen numeric, out available numeric, out releasing numeric,
  out released_members bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format($sql$
    select
      count(*) filter (where greatest(b.brokerage, b.frozen, b.available) > 0),
      coalesce(sum(greatest(b.brokerage, 0.00)), 0.00), coalesce(sum(b.frozen), 0),
      coalesce(sum(greatest(b.available, 0)), 0),
      coalesce(sum(b.frozen) filter (where app.release_amount(b.frozen) > 0), 0),
      count(*) filter (where app.release_amount(b.frozen) > 0)
    from (%s) as b
    join app.users as u on u.uid = b.uid
    where u.auth_id is null and coalesce(u.left_at < $1, $1 is null and u.left_at is not null)
  $sql$, app.balances_query(p_at))
  into members, commission, frozen, available, releasing, released_members
  using p_at, p_at + interval '31 days';
end
$$;

comment on function app.left_totals is
  'Returns what the store owed members who had left at p_at (null: now), to how many, and which of their points would '
  'be released if they had stayed.';

-- The sums of app.owed_at over all members. The balances are read alone, which costs less than half of a join for each
-- member and can use several processors. Only members with commission that is maturing or held are then looked up: what
-- is maturing is in the balance, or covers a debt, and what is held is at most the rest of the balance.
create or replace function app.owed_totals(
  p_at timestamptz, p_now timestamptz,
  out owed numeric, out withdrawable numeric, out held_by_refunds numeric, out maturing numeric,
  out after_receipt numeric, out reserved numeric,
  out debts_covered numeric, out debts_uncovered numeric, out debtors bigint,
  out frozen numeric, out available numeric, out negative numeric, out negative_members bigint, out releasing numeric,
  out released_members bigint,
  out left_members bigint, out left_commission numeric, out left_frozen numeric, out left_available numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_balance numeric;
  v_in_debt bigint;
  v_left record;
begin
  execute format($sql$
    select
      coalesce(sum(b.brokerage) filter (where b.brokerage > 0), 0.00),
        coalesce(-sum(b.brokerage) filter (where b.brokerage < 0), 0.00),
      count(*) filter (where b.brokerage < 0), coalesce(sum(b.frozen), 0),
      coalesce(sum(b.available) filter (where b.available > 0), 0),
      coalesce(-sum(b.available) filter (where b.available < 0), 0), count(*) filter (where b.available < 0),
      coalesce(sum(b.frozen) filter (where app.release_amount(b.frozen) > 0), 0),
      count(*) filter (where app.release_amount(b.frozen) > 0)
    from (%s) as b
  $sql$, app.balances_query(p_at))
  into v_balance, debts_uncovered, debtors, frozen, available, negative, negative_members, releasing, released_members
  using p_at, p_at + interval '31 days';
  execute format($sql$
    select
      coalesce(sum(m.amount), 0.00), coalesce(sum(m.after_receipt), 0.00),
        coalesce(sum(greatest(m.amount - greatest(b.brokerage, 0.00), 0.00)), 0.00),
      count(*) filter (where b.brokerage >= 0 and b.brokerage < m.amount),
      coalesce(sum(app.held_of_matured(b.brokerage - m.amount, m.held)), 0.00)
    from (
      select t.uid, sum(t.amount) as amount, sum(t.after_receipt) as after_receipt, sum(t.held) as held
      from (
        select g.uid, g.amount, case when g.matures_at is null then g.amount end as after_receipt, 0.00 as held
        from app.maturing_at($1, $3) as g
        union all
        select h.uid, 0.00, null, h.amount from app.held_at($1, $3) as h
      ) as t
      group by t.uid
    ) as m
    join (%s) as b on b.uid = m.uid
  $sql$, app.balances_query(p_at))
  into maturing, after_receipt, debts_covered, v_in_debt, held_by_refunds
  using p_at, p_at + interval '31 days', p_now;
  reserved := coalesce((
    select sum(w.amount) from app.withdrawals as w
    where (w.ended_at is null or w.ended_at >= p_at) and (p_at is null or w.add_time < p_at)
  ), 0.00);
  v_left := app.left_totals(p_at);
  left_members := v_left.members;
  left_commission := v_left.commission;
  left_frozen := v_left.frozen;
  left_available := v_left.available;
  owed := v_balance + reserved;
  withdrawable := v_balance - left_commission - maturing + debts_covered - held_by_refunds;
  debtors := debtors + v_in_debt;
  frozen := frozen - left_frozen;
  available := available - left_available;
  releasing := releasing - v_left.releasing;
  released_members := released_members - v_left.released_members;
end
$$;

comment on function app.owed_totals is
  'Returns the sums of app.owed_at over all members at p_at (null: now), with debts and points below zero apart. '
  'Debts are covered by the member''s own maturing commission. releasing: frozen points of members who have something '
  'to release.';

create or replace function app.accounted_for(
  p_uid bigint, p_at timestamptz,
  out adjusted numeric, out adjusted_points numeric, out reserved numeric, out paid numeric, out spent numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select a.brokerage, a.points, w.reserved, w.paid, o.points
  from (
    select coalesce(sum(d.brokerage_delta), 0.00) as brokerage,
      coalesce(sum(d.frozen_delta + d.available_delta), 0) as points
    from app.adjustments as d where d.uid = p_uid and d.state = 'booked' and (p_at is null or d.decided_at < p_at)
  ) as a
  cross join (
    select
      coalesce(sum(l.amount) filter (where l.ended_at is null or l.ended_at >= p_at), 0.00) as reserved,
      coalesce(sum(l.amount) filter (where l.state = 'paid' and (p_at is null or l.ended_at < p_at)), 0.00) as paid
    from app.withdrawals as l where l.uid = p_uid and (p_at is null or l.add_time < p_at)
  ) as w
  cross join (
    select coalesce(sum(case
      when p_at is null then s.points_left
      when s.cancelled_at < p_at then 0
      else s.points_spent - coalesce((
        select sum(r.points) from app.refunds as r
        where r.order_id = s.id and app.is_paid_back(r.state) and r.decided_at < p_at
      ), 0)
    end), 0) as points
    from app.orders as s where s.uid = p_uid and s.points_spent > 0 and (p_at is null or s.add_time < p_at)
  ) as o
$$;

comment on function app.accounted_for is
  'Returns what was adjusted, reserved, paid and spent of a member''s commission and points at p_at (null: now).';

create or replace function app.accounts_json(
  p_balances app.user_balances, p_now timestamptz, p_at timestamptz default null
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'commission', jsonb_build_object(
      'opening', f.brokerage::text, 'earned', (p_balances.total_brokerage - f.brokerage)::text, 'adjusted',
      a.adjusted::text,
      'withdrawable', (p_balances.brokerage_price - m.amount - l.amount)::text, 'held_by_refunds', l.amount::text,
      'maturing', m.amount::text, 'reserved', a.reserved::text, 'paid', a.paid::text
    ),
    'points', jsonb_build_object(
      'opening', trim_scale(f.points), 'earned', trim_scale(p_balances.total_points_earned - f.points), 'adjusted',
      trim_scale(a.adjusted_points),
      'frozen', trim_scale(p_balances.frozen_points), 'available', trim_scale(p_balances.available_points), 'spent',
      trim_scale(a.spent)
    )
  )
  from app.opening_of(p_balances.uid) as f
  cross join app.accounted_for(p_balances.uid, p_at) as a
  cross join (
    select coalesce(sum(c.amount), 0.00) as amount
    from (
      select n.amount_left as amount from app.maturing(p_balances.uid, p_now) as n where p_at is null
      union all
      select t.amount from app.maturing_at(p_at, p_now, p_balances.uid - 1, p_balances.uid) as t where p_at is not null
    ) as c
  ) as m
  cross join lateral (
    select app.held_of_matured(p_balances.brokerage_price - m.amount, coalesce(sum(h.amount), 0.00)) as amount
    from (
      select n.amount from app.held_orders(p_balances.uid, p_now) as n where p_at is null
      union all
      select t.amount from app.held_at(p_at, p_now, p_balances.uid - 1, p_balances.uid) as t where p_at is not null
    ) as h
  ) as l
$$;

comment on function app.accounts_json is
  'Returns the terms of two equations for a member, now or at p_at. Commission: opening, earned and adjusted = '
  'withdrawable, held, maturing, reserved and paid. Points: opening, earned and adjusted = frozen, available and '
  'spent. earned is less reversals.';

create or replace function app.member_at(p_uid bigint, p_at timestamptz)
returns app.users
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user app.users;
  v_level record;
  v_spread record;
  v_since timestamptz;
begin
  select u.* into v_user from app.users as u where u.uid = p_uid;
  v_since := coalesce((select i.imported_at from app.imported_members as i where i.uid = p_uid), v_user.add_time);
  if v_since >= p_at then
    perform app.fail('invalid_argument', format('The store has had the member since %s.', app.utc(v_since)));
  end if;
  select c.from_level, c.from_held into v_level
  from app.level_changes as c where c.uid = p_uid and c.add_time >= p_at order by c.position, c.id limit 1;
  if found then
    v_user.agent_level := v_level.from_level;
    v_user.is_held := v_level.from_held;
  end if;
  v_user.no_assess := coalesce(
    (
      select n.from_value from app.no_assess_changes as n where n.uid = p_uid and n.add_time >= p_at order by n.position
      limit 1
    ),
    v_user.no_assess
  );
  select c.from_uid, c.from_time into v_spread
  from app.spread_changes as c where c.uid = p_uid and c.add_time >= p_at order by c.position limit 1;
  if found then
    v_user.spread_uid := v_spread.from_uid;
    v_user.spread_time := v_spread.from_time;
  end if;
  if v_user.spread_time >= p_at then
    v_user.spread_uid := null;
    v_user.spread_time := null;
  end if;
  if v_user.left_at >= p_at then
    v_user.left_at := null;
    v_user.left_position := null;
  end if;
  return v_user;
end
$$;

comment on function app.member_at is
  'Returns a member as at an instant; name, phone and picture have no history and are those of now. All null if there '
  'is no such member. Raises invalid_argument if they came later.';

-- What was earned is what must have been: the balances and what else is accounted for, less what administrators have
-- adjusted.
create or replace function app.balances_at(p_uid bigint, p_at timestamptz)
returns app.user_balances
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_balances app.user_balances := jsonb_populate_record(
    null::app.user_balances, app.balances_until(p_uid, p_at) || jsonb_build_object('uid', p_uid)
  );
  v_other record := app.accounted_for(p_uid, p_at);
begin
  v_balances.total_brokerage := v_balances.brokerage_price + v_other.reserved + v_other.paid - v_other.adjusted;
  v_balances.total_points_earned := v_balances.frozen_points + v_balances.available_points + v_other.spent
    - v_other.adjusted_points;
  select c.cycle_no, c.plan_version, c.taken < p.people_per_cycle, c.total
  into v_balances.cycle_no, v_balances.cycle_plan_version, v_balances.cycle_is_open, v_balances.total_places
  from (
    select s.cycle_no, min(s.cycle_plan_version) as plan_version, sum(n.taken) as taken,
      (sum(sum(n.taken)) over ())::integer as total
    from app.taken_places as s
    cross join lateral (select (s.place_freed_at is null or s.place_freed_at >= p_at)::integer as taken) as n
    where s.earner_uid = p_uid and s.settled_at < p_at
    group by s.cycle_no
  ) as c
  join app.commission_plans as p on p.version = c.plan_version
  order by c.cycle_no desc limit 1;
  if not found then
    v_balances.cycle_no := 0;
    v_balances.cycle_is_open := false;
    v_balances.total_places := 0;
  end if;
  return v_balances;
end
$$;

comment on function app.balances_at is
  'Returns the balances, totals and cycle of a member at an instant. Task counts have no history and are null.';

create or replace function app.progress_at(p_balances app.user_balances, p_at timestamptz)
returns json
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p
  from (
    select a.* from app.commission_plans as a
    where a.created_at < p_at or a.version = (select min(f.version) from app.commission_plans as f)
    order by a.version desc limit 1
  ) as active
  cross join lateral app.progress_json(
    p_balances, active,
    array(
      select s.place from app.taken_places as s
      where s.earner_uid = p_balances.uid and p_balances.cycle_is_open and s.cycle_no = p_balances.cycle_no
        and s.settled_at < p_at and (s.place_freed_at is null or s.place_freed_at >= p_at)
      order by s.place
    ),
    exists (
      select from app.orders as o
      where o.uid = p_balances.uid and o.paid_at < p_at and o.has_queue_goods and not o.below_minimum
        and (o.queue_units > 0 or (app.order_at(o.id, p_at, 0, true)).units > 0)
    ) and not exists (select from app.users as u where u.uid = p_balances.uid and u.left_at < p_at)
  ) as p
$$;

comment on function app.progress_at is
  'Returns a member''s commission cycle at an instant (app.progress_json), from the balances of that instant. The '
  'first plan has been in force from the beginning.';

create or replace function app.level_name_at(p_grade smallint, p_at timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select l ->> 'name'
  from (
    select v.levels from app.level_versions as v
    where v.created_at < p_at or v.version = (select min(f.version) from app.level_versions as f)
    order by v.version desc limit 1
  ) as s
  cross join lateral jsonb_array_elements(s.levels) as l
  where (l ->> 'grade')::smallint = p_grade
$$;

comment on function app.level_name_at is
  'Returns the name that a grade had at an instant. The first settings have been in force from the beginning.';
