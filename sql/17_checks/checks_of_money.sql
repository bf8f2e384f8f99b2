-- Checks of reconciliation: amounts, withdrawals, payments, refunds.

create or replace function app.reconcile_adjustments(
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
    with booked as (
      select
        l.adjustment_id as id, min(l.uid) as uid, count(*) as rows, sum(l.brokerage_delta) as brokerage,
        sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available, min(l.add_time) as booked_at
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.adjustment_id is not null
      group by l.adjustment_id
    ),
    stated as (
      select a.id, a.uid, 1::bigint as rows, a.brokerage_delta as brokerage, a.frozen_delta as frozen,
        a.available_delta as available, a.decided_at as booked_at
      from app.adjustments as a
      where a.uid between p_from and p_to and a.decided_at >= p_since and a.state = 'booked'
    )
    select
      'adjustment_equals_its_bill_row', format('adjustment %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.brokerage, s.frozen, s.available, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.booked_at)),
      concat_ws(' ', b.brokerage, b.frozen, b.available, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.booked_at))
    from stated as s
    full join booked as b on b.id = s.id
    where (s.uid, s.rows, s.brokerage, s.frozen, s.available, s.booked_at)
      is distinct from (b.uid, b.rows, b.brokerage, b.frozen, b.available, b.booked_at);
end
$$;

comment on function app.reconcile_adjustments is
  'Finds booked adjustments without exactly one bill row of their amounts, and bill rows of adjustments that were not '
  'booked.';

create or replace function app.reconcile_amounts(
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
    select
      'amount_is_basis_times_rate', format('bill %s', l.id), e.amount::text, a.amount::text
    from app.bill(p_since, 'infinity') as l
    cross join lateral (
      select case
        when app.is_money(l.type) then l.brokerage_delta
        when app.is_earned(l.type) then greatest(l.frozen_delta, l.available_delta)
        else -l.available_delta
      end as amount
    ) as a
    cross join lateral (
      select app.grant_amount(l.type, l.basis, l.rate) as amount
    ) as e
    where l.uid between p_from and p_to and l.reverses_id is null and a.amount <> e.amount
    union all
    -- Rounded down, another basis or rate may give the same amount. Rates of points by level: reconcile_grants.
    select 'grant_is_of_its_settlement', format('bill %s', l.id), concat_ws(' x ', e.basis, e.rate),
      concat_ws(' x ', l.basis, l.rate)
    from app.bill(p_since, 'infinity') as l
    join app.settlements as s on s.order_id = l.order_id
    left join app.commission_plans as p on p.version = s.cycle_plan_version
    cross join lateral (
      select app.basis_left(l.type, l.source, s.base, s.units, s.rate) as basis,
        case when l.source <> 'cycle' then l.rate when app.is_money(l.type) then s.rate else p.points_per_brokerage end
          as rate
    ) as e
    where l.uid between p_from and p_to and l.reverses_id is null and l.source in ('cycle', 'direct', 'umbrella')
      and (l.basis, l.rate) is distinct from (e.basis, e.rate);
end
$$;

comment on function app.reconcile_amounts is
  'Finds grants and spent points in the bill whose amount is not basis times rate, rounded down, and grants of another '
  'basis or rate than their settlement gives.';

create or replace function app.reconcile_closed_months(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_month app.closed_months;
begin
  for v_month in
    select c.* from app.closed_months as c where c.month between app.day_of_key(p_from) and app.day_of_key(p_to)
    order by c.month
  loop
    return query
      select 'closed_month_equals_its_rows', to_char(v_month.month, 'YYYY-MM'), v_month.sums::text, s.sums::text
      from (select app.bill_sums(v_month.begins_at, v_month.ends_at) as sums) as s
      where s.sums <> v_month.sums;
    return query
      select 'closed_month_rejects_rows', to_char(v_month.month, 'YYYY-MM'), 'a constraint',
        format('none on %s', p.part)
      from app.partitions_of(v_month.begins_at, v_month.ends_at) as p (part)
      where not exists (
        select from pg_constraint as c
        where c.conrelid = p.part and c.conname = to_char(v_month.month, '"month_"YYYY_MM"_is_closed"')
      );
  end loop;
end
$$;

comment on function app.reconcile_closed_months is
  'Finds closed months whose sums are not those of their bill rows, and partitions of the bill that would accept rows '
  'of them.';

create or replace function app.reconcile_maturities(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with due as (
      select
        s.order_id, s.earner_uid as uid, app.matures_at(o.received_at, s.settled_at, p.holding_days) as matures_at,
        s.commission + coalesce(sum(l.brokerage_delta), 0) as amount_left
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      join app.commission_plans as p on p.version = s.order_plan_version
      left join app.bill('-infinity', 'infinity') as l on l.order_id = s.order_id and l.type = 'brokerage_reversal'
      where s.order_id between p_from and p_to and s.commission > 0
      group by s.order_id, o.received_at, p.holding_days
    )
    select
      'maturity_equals_its_settlement', format('order %s', coalesce(d.order_id, m.order_id)),
      concat_ws(' ', d.amount_left, 'of uid', d.uid, 'at', app.utc(d.matures_at)),
      concat_ws(' ', m.amount_left, 'of uid', m.uid, 'at', app.utc(m.matures_at))
    from due as d
    full join (
      select t.* from app.commission_maturities as t where t.order_id between p_from and p_to
    ) as m on m.order_id = d.order_id
    where (d.uid, d.amount_left, d.matures_at) is distinct from (m.uid, m.amount_left, m.matures_at)
    union all
    select 'maturity_is_announced_when_it_comes', format('order %s', m.order_id),
      concat_ws(' ', 'not before', app.utc(m.matures_at)), 'announced'
    from app.commission_maturities as m
    where m.order_id between p_from and p_to and m.is_announced
      and (m.matures_at < clock_timestamp() + app.clock_tolerance()) is not true;
end
$$;

comment on function app.reconcile_maturities is
  'Finds commission whose maturity is missing, differs from the settlement, the receipt and the refunds of its order, '
  'or was announced before it came.';

create or replace function app.reconcile_order_points(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with lines as (
      select
        l.order_id, sum(l.price * l.quantity) as price, sum(l.discount) as discount, sum(l.paid_by_points) as money,
        sum(l.points) as points, sum(app.points_left(l.points, l.quantity, l.refunded_quantity)) as points_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ),
    refunded as (
      select r.order_id, sum(r.points) as points
      from app.refunds as r
      where r.order_id between p_from and p_to and app.is_paid_back(r.state)
      group by r.order_id
    )
    select
      'points_of_an_order_equal_its_lines', format('order %s', o.id),
      concat_ws(' ', l.points, 'for', l.money, 'refunded', l.points - l.points_left, 'left', e.points_left),
      concat_ws(' ', o.points_spent, 'for', o.paid_by_points, 'refunded', coalesce(r.points, 0), 'left', o.points_left)
    from app.orders as o
    join lines as l on l.order_id = o.id
    left join refunded as r on r.order_id = o.id
    cross join lateral (select case o.state when 'cancelled' then 0 else l.points_left end as points_left) as e
    where (l.points, l.money, l.points - l.points_left, e.points_left) is distinct from (
      o.points_spent, o.paid_by_points, coalesce(r.points, 0), o.points_left
    )
    union all
    select 'price_of_an_order_equals_its_lines', format('order %s', o.id), concat_ws(' ', l.price, 'less', l.discount),
      concat_ws(' ', o.total_price, 'less', o.discount)
    from lines as l join app.orders as o on o.id = l.order_id
    where (l.price, l.discount) <> (o.total_price, o.discount);
end
$$;

comment on function app.reconcile_order_points is
  'Finds orders whose price, discount or points differ from those of their lines, or whose refunds did not return the '
  'points of the refunded units.';

create or replace function app.reconcile_payments(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'paid_attempt_is_booked', format('payment %s', a.attempt_no),
      'an order that it paid, or a notification that asks for attention', 'neither'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'paid'
      and not exists (
        select from app.orders as o where o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref
      )
      and not exists (
        select from app.payment_notifications as n
        where n.order_id = a.order_id and n.provider = a.provider and n.pay_ref = a.pay_ref and n.outcome = 'attention'
      )
    union all
    select 'order_is_paid_by_its_attempt', format('order %s', o.id), format('a paid attempt at %s', app.utc(o.paid_at)),
      coalesce(format('paid at %s', app.utc(a.ended_at)), 'none')
    from app.orders as o
    left join app.payment_attempts as a
      on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref and a.state = 'paid'
    where o.id between p_from and p_to and o.paid_at is not null
      -- Both times are of one transaction, but may be read one after the other.
      and (a.ended_at between o.paid_at - interval '1 minute' and o.paid_at + interval '1 minute') is not true
      and exists (select from app.payment_attempts as n where n.order_id = o.id and n.provider = o.pay_type)
      -- A payment that was started by the number of the order itself has no attempt.
      and not exists (
        select from app.payment_notifications as n
        where n.order_id = o.id and n.provider = o.pay_type and n.pay_ref = o.pay_ref and n.order_no = o.order_no
      )
    union all
    select 'attempt_asks_for_the_price', format('payment %s', a.attempt_no), o.pay_price::text, a.amount::text
    from app.payment_attempts as a join app.orders as o on o.id = a.order_id
    where a.order_id between p_from and p_to and a.amount <> o.pay_price
    union all
    select 'open_attempt_is_to_be_closed', format('payment %s', a.attempt_no), 'a row of the outbox', 'none'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'open'
      and not exists (select from app.outbox as b where b.kind = 'close_payment' and b.key = a.attempt_no)
    union all
    select 'order_is_paid_by_one_attempt', format('order %s', a.order_id), 'one', count(*)::text
    from app.payment_attempts as a
    join app.orders as o on o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref
    where a.order_id between p_from and p_to and a.state = 'paid'
    group by a.order_id
    having count(*) > 1
    union all
    select 'outbox_row_has_not_failed', format('%s %s', b.kind, b.key), 'done',
      format('failed after %s attempts', b.attempts)
    from app.outbox as b
    where b.state = 'failed' and b.lane = 'calls' and p_from = 0;
end
$$;

comment on function app.reconcile_payments is
  'Finds paid attempts that neither paid their order nor have the outcome attention, orders that no attempt paid at '
  'their time, attempts of another amount than the price, open ones that nobody will close, orders that two attempts '
  'paid, and failed calls to providers.';

create or replace function app.reconcile_provider_refunds()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'refunding_is_in_the_outbox', format('refund %s', r.refund_no), 'a row of the outbox', 'none'
  from app.provider_refunds as r
  where r.state = 'refunding'
    and not exists (select from app.outbox as b where b.kind = 'refund_payment' and b.key = r.refund_no)
  union all
  select 'refunds_are_within_the_payment', format('payment %s', r.payment_no), format('at most %s', min(r.total)),
    sum(r.amount)::text
  from app.provider_refunds as r
  where r.state <> 'failed'
  group by r.provider, r.payment_no, r.pay_ref
  having sum(r.amount) > min(r.total)
  union all
  select 'refund_states_its_payment', format('refund %s of payment %s', r.refund_no, r.payment_no), a.amount::text,
    r.total::text
  from app.provider_refunds as r
  join app.payment_attempts as a on a.attempt_no = r.payment_no and a.provider = r.provider
  where r.total <> a.amount
  union all
  select 'provider_is_asked_for_the_refund', format('refund %s of order %s', r.id, r.order_id), r.amount::text,
    'not asked'
  from app.refunds as r
  join app.orders as o on o.id = r.order_id
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where app.is_paid_back(r.state) and r.amount > 0
    and not exists (select from app.provider_refunds as p where p.refund_id = r.id and p.amount = r.amount)
  union all
  select 'provider_refund_is_paid', format('refund %s', r.refund_no), 'paid or tried again', r.reason
  from app.provider_refunds as r
  where r.state = 'failed' and not exists (
    select from app.provider_refunds as p
    where p.id > r.id and p.provider = r.provider and p.pay_ref = r.pay_ref
      and p.refund_id is not distinct from r.refund_id
  )
$$;

comment on function app.reconcile_provider_refunds is
  'Finds refunds that a provider is never asked for, that exceed their payment or state another amount of it, or that '
  'have failed and were not tried again.';

create or replace function app.reconcile_refunds(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select
      'refunded_units_equal_refunds', format('order line %s', l.id), coalesce(sum(i.quantity), 0)::text,
        l.refunded_quantity::text
    from app.order_lines as l
    left join (
      app.refund_lines as i join app.refunds as r on r.id = i.refund_id and app.is_paid_back(r.state)
    ) on i.line_id = l.id
    where l.order_id between p_from and p_to
    group by l.id
    having l.refunded_quantity <> coalesce(sum(i.quantity), 0)
    union all
    select 'refund_status_equals_refunds', format('order %s', o.id), t.status::text, o.refund_status::text
    from app.orders as o
    join (
      select l.order_id, sum(l.quantity - l.refunded_quantity) as units_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ) as l on l.order_id = o.id
    left join app.refunds as r on r.order_id = o.id and r.state = 'requested'
    left join (
      select distinct f.order_id from app.refunds as f
      where f.order_id between p_from and p_to and app.is_paid_back(f.state)
    ) as p on p.order_id = o.id
    cross join lateral (
      select case
        when l.units_left = 0 then 2
        when r.id is not null then 1
        when p.order_id is not null then 3
        else 0
      end as status
    ) as t
    where o.id between p_from and p_to and o.refund_status <> t.status
    union all
    select 'refund_pays_its_lines', format('refund %s of order %s', r.id, r.order_id),
      (r.freight + coalesce(sum(f.amount), 0.00))::text, r.amount::text
    from app.refunds as r
    left join lateral app.paid_back_lines(r) as f on true
    where r.order_id between p_from and p_to and app.is_paid_back(r.state)
    group by r.id
    having r.amount <> r.freight + coalesce(sum(f.amount), 0.00)
    union all
    select 'refunds_are_within_the_price', format('order %s', o.id),
      format('at most %s, %s of it freight', o.pay_price, o.freight),
      format('%s, %s of it freight', sum(r.amount), sum(r.freight))
    from app.refunds as r join app.orders as o on o.id = r.order_id
    where r.order_id between p_from and p_to and app.is_paid_back(r.state)
    group by o.id
    having sum(r.freight) > o.freight or sum(r.amount - r.freight) > o.pay_price - o.freight;
end
$$;

comment on function app.reconcile_refunds is
  'Finds refunded units and refund statuses that do not follow from the refunds, refunds that do not pay their lines '
  'and freight, and orders of which more was paid back than paid.';

-- A reversal states the basis that is left, so what is left after it is that basis times the rate of what it reverses.
create or replace function app.reconcile_reversals(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with reversals as materialized (
      select
        l.*,
        sum(
          l.brokerage_delta + l.frozen_delta + l.available_delta
        ) over (partition by l.reverses_id order by l.id) as reversed
      from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
    ),
    grants as materialized (
      select l.* from app.bill('-infinity', 'infinity') as l
      where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    )
    select
      'reversal_equals_what_it_reverses', format('bill %s of order %s', r.id, r.order_id),
      case
        when g.id is null then 'a grant'
        else concat_ws(
          ' ', 'order', g.order_id, app.reversal_of(g.type), g.source, 'of uid', g.uid, 'rate', g.rate, 'level',
          g.agent_level
        )
      end,
      concat_ws(' ', 'order', r.order_id, r.type, r.source, 'of uid', r.uid, 'rate', r.rate, 'level', r.agent_level)
    from reversals as r
    left join grants as g on g.id = r.reverses_id
    where (g.order_id, app.reversal_of(g.type), g.source, g.uid, g.rate, g.agent_level)
      is distinct from (r.order_id, r.type, r.source, r.uid, r.rate, r.agent_level)
    union all
    select
      'reversal_leaves_basis_times_rate', format('bill %s of order %s', r.id, r.order_id),
      a.remaining::text, (g.brokerage_delta + g.frozen_delta + r.reversed)::text
    from reversals as r
    join grants as g on g.id = r.reverses_id
    cross join lateral (select app.grant_amount(g.type, r.basis, g.rate) as remaining) as a
    where g.brokerage_delta + g.frozen_delta + r.reversed is distinct from a.remaining
    union all
    select 'reversal_has_its_refund', format('bill %s of order %s', r.id, r.order_id),
      'a refund that leaves its basis', concat_ws(' ', app.utc(r.add_time), r.basis)
    from reversals as r
    where not exists (
      select from app.refunds as f
      join app.settlements as s on s.order_id = f.order_id
      cross join lateral app.order_at(f.order_id, null, f.decided_position, false) as o
      where f.order_id = r.order_id and app.is_paid_back(f.state) and f.decided_at = r.add_time
        and app.basis_left(r.type, r.source, o.base, o.units, s.rate) = r.basis
    );
end
$$;

comment on function app.reconcile_reversals is
  'Finds reversals that differ from their grant in member, order, kind, rate or level, that leave another amount than '
  'the basis they state, or that no refund made.';

create or replace function app.reconcile_transfers()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'open_transfer_is_in_the_outbox', format('withdrawal %s', w.id), 'a row of the outbox', 'none'
  from app.withdrawals as w
  where w.method = 'wechat' and w.state in ('approved', 'paying')
    and not exists (select from app.outbox as o where o.kind = 'transfer' and o.key = w.withdrawal_no)
  union all
  select 'outbox_has_open_transfers_only', format('withdrawal %s', o.key), 'approved or paying',
    coalesce(w.state, 'unknown')
  from app.outbox as o left join app.withdrawals as w on w.withdrawal_no = o.key
  where o.kind = 'transfer' and coalesce(w.state, '') not in ('approved', 'paying')
  union all
  select 'withdrawal_to_wechat_has_a_transfer', format('withdrawal %s', w.id), 'a transfer', 'none'
  from app.withdrawals as w
  where w.method = 'wechat' and not exists (select from app.transfers as t where t.withdrawal_id = w.id)
  union all
  select 'transfer_was_requested_before_it_ended', format('withdrawal %s', w.id), 'a request', 'none'
  from app.withdrawals as w join app.transfers as t on t.withdrawal_id = w.id
  where w.transfer_state is not null and w.transfer_state <> 'cancelled' and t.first_asked_at is null
$$;

comment on function app.reconcile_transfers is
  'Finds withdrawals by wechat that WeChat is never asked about, calls for withdrawals that have ended, and transfers '
  'that nobody requested.';

create or replace function app.reconcile_withdrawals(
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
    with booked as (
      select l.withdrawal_id as id, l.type, min(l.uid) as uid, sum(l.brokerage_delta) as amount, count(*) as rows,
        max(l.add_time) as at
      from app.bill(p_since, 'infinity') as l
      where l.uid between p_from and p_to and l.withdrawal_id is not null
      group by l.withdrawal_id, l.type
    ),
    stated as (
      select w.id, 'withdrawal' as type, w.uid, -w.amount as amount, 1::bigint as rows, w.add_time as at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.add_time >= p_since
      union all
      select w.id, 'withdrawal_returned', w.uid, w.amount, 1, w.ended_at
      from app.withdrawals as w
      where w.uid between p_from and p_to and w.ended_at >= p_since and app.is_returned(w.state)
    )
    select
      'withdrawal_equals_its_bill_rows', format('withdrawal %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.type, s.amount, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.at)),
      concat_ws(' ', b.type, b.amount, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.at))
    from stated as s
    full join booked as b on b.id = s.id and b.type = s.type
    where (s.uid, s.amount, s.rows, s.at) is distinct from (b.uid, b.amount, b.rows, b.at);
end
$$;

comment on function app.reconcile_withdrawals is
  'Finds withdrawals that did not leave the balance exactly once, or did not come back exactly once if they were not '
  'paid.';
