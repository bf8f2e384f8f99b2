-- Checks of reconciliation: fees and batches of withdrawals, and what administrators decided alone.

create or replace function app.reconcile_fees(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'fee_is_amount_times_rate', format('withdrawal %s', w.id), a.fee::text, w.fee::text
    from app.withdrawals as w
    cross join lateral (select app.withdrawal_fee(w.amount, w.fee_rate) as fee) as a
    where w.uid between p_from and p_to and w.fee <> a.fee;
end
$$;

comment on function app.reconcile_fees is
  'Finds withdrawals whose fee is not the amount times the rate at their request, rounded down. Requests from before '
  '2.0.0 have no rate and are passed over.';

-- A batch can have withdrawals of all members, so the check is not divided.
create or replace function app.reconcile_batches()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with taken as (
    select w.batch_id as id, count(*) as withdrawals, sum(w.amount - w.fee - w.tax) as amount,
      string_agg(distinct w.method, ' ') as methods, min(w.paying_at) as first, max(w.paying_at) as last
    from app.withdrawals as w where w.batch_id is not null group by w.batch_id
  )
  select
    'batch_equals_its_withdrawals', format('batch %s', b.id),
    concat_ws(
      ' ', coalesce(t.withdrawals, 0), t.methods, t.amount, 'at', app.utc(t.first), app.utc(nullif(t.last, t.first))
    ),
    concat_ws(' ', b.withdrawals, b.method, b.amount, 'at', app.utc(b.add_time))
  from app.withdrawal_batches as b
  left join taken as t on t.id = b.id
  where (b.withdrawals, b.method, b.amount, b.add_time, b.add_time)
    is distinct from (t.withdrawals, t.methods, t.amount, t.first, t.last)
$$;

comment on function app.reconcile_batches is
  'Finds batches whose number, amount after fees and taxes, method or time is not that of their withdrawals.';

create or replace function app.decisions_alone(p_since timestamptz)
returns table (auth_id uuid, kind text, decided_at timestamptz, money numeric, points numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select a.created_by, 'adjustment', a.decided_at, abs(a.brokerage_delta),
    greatest(abs(a.frozen_delta), abs(a.available_delta), abs(a.frozen_delta + a.available_delta))
  from app.adjustments as a
  where a.decided_at >= p_since and a.state = 'booked' and a.created_by = a.decided_by
  union all
  select l.actor, d.kind, l.add_time, coalesce(o.pay_price, w.amount), 0
  from app.admin_actions as l
  join (values
    ('pay_order_offline', 'order', 'offline_payment', 'unpaid'),
    ('approve_withdrawal', 'withdrawal', 'withdrawal', 'requested'),
    ('approve_withdrawals', 'withdrawal', 'withdrawal', 'requested')
  ) as d (function, target_type, kind, before) on d.function = l.function and d.target_type = l.target_type
  left join app.orders as o on o.id = case d.kind when 'offline_payment' then l.target_id::bigint end
  left join app.withdrawals as w on w.id = case d.kind when 'withdrawal' then l.target_id::bigint end
  where l.add_time >= p_since and l.actor is not null and l.from_value ->> 'state' = d.before
    -- Whoever follows another administrator is the second one.
    and not exists (
      select from app.admin_actions as f
      where f.target_type = l.target_type and f.target_id = l.target_id and f.to_value ? 'waits'
        and f.actor is distinct from l.actor
    )
$$;

comment on function app.decisions_alone is
  'Returns the decisions that administrators made alone since p_since, as adjustments and the action log have them: by '
  'whom, the kind of app.decided_alone, when, money and points.';

-- A limit is one of a day, so the last two days suffice. A decision in the first minute of a day may count for the day
-- before; all may after a change of the time zone.
create or replace function app.reconcile_decided_alone()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with decisions as (
    select c.auth_id, c.kind, app.business_day(c.decided_at) as day, sum(c.money) as money, sum(c.points) as points,
      bool_or(app.business_day(c.decided_at - interval '1 minute') <> app.business_day(c.decided_at)) as is_unclear
    from app.decisions_alone(now() - interval '3 days') as c
    group by c.auth_id, c.kind, app.business_day(c.decided_at)
  ),
  -- A row of a day without a decision is that of a lock.
  compared as (
    select auth_id, kind, greatest(s.day, d.day) as day, d.day as stored_day, d.money as stored_money,
      d.points as stored_points,
      case when s.day < d.day then 0.00 else coalesce(s.money, 0.00) end as money,
      case when s.day < d.day then 0.0000 else coalesce(s.points, 0.0000) end as points
    from app.decided_alone as d
    full join (
      select distinct on (n.auth_id, n.kind) n.* from decisions as n order by n.auth_id, n.kind, n.day desc
    ) as s using (auth_id, kind)
    where greatest(s.day, d.day) >= app.business_day(now()) - 1 and not exists (
      select from decisions as n
      where n.is_unclear and n.auth_id = coalesce(d.auth_id, s.auth_id) and n.kind = coalesce(d.kind, s.kind)
    )
  )
  select 'decided_alone_has_every_decision', format('%s by administrator %s', c.kind, c.auth_id),
    concat_ws(' ', c.money, 'and', c.points, 'points on', c.day),
    concat_ws(' ', c.stored_money, 'and', c.stored_points, 'points on', c.stored_day)
  from compared as c
  where (c.stored_day, c.stored_money, c.stored_points) is distinct from (c.day, c.money, c.points)
    and not exists (
      select from app.admin_actions as l
      where l.function = 'set_settings' and l.add_time >= now() - interval '3 days' and l.to_value ? 'time_zone'
    )
  union all
  select 'decided_alone_is_of_no_later_day', format('%s by administrator %s', d.kind, d.auth_id),
    format('at most %s', t.today), d.day::text
  from app.decided_alone as d
  cross join app.business_day(clock_timestamp() + app.clock_tolerance()) as t (today)
  where d.day > t.today
  union all
  select 'nobody_decides_more_than_their_limit', format('%s by administrator %s', d.kind, d.auth_id),
    concat_ws(' ', 'at most', coalesce(d.limit_money, 0), 'and', coalesce(d.limit_points, 0), 'points'),
    concat_ws(' ', d.money, 'and', d.points, 'points')
  from app.decided_alone as d
  -- A sum from before 2.0.0 has no limit until the next decision.
  where d.money > d.limit_money or d.points > d.limit_points
$$;

comment on function app.reconcile_decided_alone is
  'Finds sums of what administrators decided alone on the last two business days that are not those of their '
  'decisions, and sums above the limit to which they were held.';
