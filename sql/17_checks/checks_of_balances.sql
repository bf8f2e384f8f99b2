-- Checks of reconciliation: balances beside the bill, and the sums of closed months that nights carry.

create or replace function app.carried_differences(p_from bigint, p_to bigint)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with proved as (
      select c.uid, coalesce(sum(l.brokerage_delta), 0) as brokerage, coalesce(sum(l.frozen_delta), 0) as frozen,
        coalesce(sum(l.available_delta), 0) as available,
        coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0) as points
      from app.carried_balances as c
      left join app.bill('-infinity', 'infinity') as l on l.uid = c.uid and l.add_time < c.carried_until
      where c.uid between p_from and p_to
      group by c.uid
    )
    select
      'carried_sums_equal_bill', format('uid %s', c.uid),
      concat_ws(
        ' ', p.brokerage, p.frozen, p.available, 'earned', p.commission, 'and', p.points, 'until a closed month ends'
      ),
      concat_ws(
        ' ', c.brokerage, c.frozen, c.available, 'earned', c.commission, 'and', c.points, 'until',
        app.utc(c.carried_until)
      )
    from app.carried_balances as c
    join proved as p on p.uid = c.uid
    where (c.brokerage, c.frozen, c.available, c.commission, c.points)
        <> (p.brokerage, p.frozen, p.available, p.commission, p.points)
      or not exists (select from app.closed_months as m where m.ends_at = c.carried_until);
end
$$;

comment on function app.carried_differences is
  'Finds carried sums that are not those of the bill rows before their time, or whose time is not the end of a closed '
  'month.';

create or replace function app.reconcile_balances(
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
    with carried as materialized (
      select t.uid, t.brokerage, t.frozen, t.available, t.commission, t.points
      from app.carried_balances as t where t.uid between p_from and p_to and p_since > '-infinity'
    ),
    -- The balances of a member change under a lock, so ids have the order of the changes.
    rows as (
      select
        l.*, lag(l.brokerage_after, 1, coalesce(c.brokerage, 0)) over earlier + l.brokerage_delta as brokerage_then,
        lag(l.frozen_after, 1, coalesce(c.frozen, 0)) over earlier + l.frozen_delta as frozen_then,
        lag(l.available_after, 1, coalesce(c.available, 0)) over earlier + l.available_delta as available_then
      from app.bill(p_since, 'infinity') as l
      left join carried as c on c.uid = l.uid
      where l.uid between p_from and p_to
      window earlier as (partition by l.uid order by l.id)
    ),
    booked as materialized (
      select
        l.uid, max(array[l.id, l.brokerage_after, l.frozen_after, l.available_after]) as last,
        -- The first row that states other balances than the row before it and its own amounts.
        min(array[
          l.id, l.brokerage_then, l.frozen_then, l.available_then, l.brokerage_after, l.frozen_after, l.available_after
        ]) filter (
          where l.brokerage_after <> l.brokerage_then or l.frozen_after <> l.frozen_then
            or l.available_after <> l.available_then
        ) as wrong,
        sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available,
        coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0) as points
      from rows as l
      group by l.uid
    ),
    sums as (
      select
        uid, coalesce(b.brokerage, 0) + coalesce(c.brokerage, 0) as brokerage,
        coalesce(b.frozen, 0) + coalesce(c.frozen, 0) as frozen,
        coalesce(b.available, 0) + coalesce(c.available, 0) as available,
        coalesce(b.commission, 0) + coalesce(c.commission, 0) as commission,
        coalesce(b.points, 0) + coalesce(c.points, 0) as points
      from booked as b
      full join carried as c using (uid)
    )
    select
      'balance_equals_bill', format('uid %s', b.uid),
      concat_ws(' ', e.brokerage, e.frozen, e.available, 'earned', e.commission, 'and', e.points),
      concat_ws(
        ' ', b.brokerage_price, b.frozen_points, b.available_points, 'earned', b.total_brokerage, 'and',
        b.total_points_earned
      )
    from app.user_balances as b
    left join sums as s on s.uid = b.uid
    cross join lateral (
      select coalesce(s.brokerage, 0) as brokerage, coalesce(s.frozen, 0) as frozen,
        coalesce(s.available, 0) as available, coalesce(s.commission, 0) as commission, coalesce(s.points, 0) as points
    ) as e
    where b.uid between p_from and p_to
      and (b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned)
      is distinct from (e.brokerage, e.commission, e.frozen, e.available, e.points)
    union all
    select 'balance_equals_last_bill_row', format('uid %s', s.uid), concat_ws(' ', s.last[2], s.last[3], s.last[4]),
      concat_ws(' ', b.brokerage_price, b.frozen_points, b.available_points)
    from booked as s
    join app.user_balances as b on b.uid = s.uid
    where (s.last[2], s.last[3], s.last[4]) <> (b.brokerage_price, b.frozen_points, b.available_points)
    union all
    select 'bill_row_follows_the_one_before', format('bill %s of uid %s', s.wrong[1], s.uid),
      format('%s %s %s', s.wrong[2], s.wrong[3], s.wrong[4]), format('%s %s %s', s.wrong[5], s.wrong[6], s.wrong[7])
    from booked as s
    where s.wrong is not null;
  if p_since = '-infinity' then
    return query select c.* from app.carried_differences(p_from, p_to) as c;
  end if;
end
$$;

comment on function app.reconcile_balances is
  'Finds members whose balances differ from the sums of their bill rows or from those in their last row, and the first '
  'row of a member that does not continue the balances of the row before it. With p_since, the sums until then are '
  'carried (app.carried_balances); without, they are checked, too.';
