create or replace function app.reconcile_balances(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with booked as materialized (
      select
        l.uid, max(l.id) as last_id, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available,
        coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0) as points
      from app.user_bill as l
      where l.uid between p_from and p_to and l.add_time >= p_since
      group by l.uid
    ),
    sums as (
      select
        uid, coalesce(b.brokerage, 0) + coalesce(c.brokerage, 0) as brokerage, coalesce(b.frozen, 0) + coalesce(c.frozen, 0) as frozen,
        coalesce(b.available, 0) + coalesce(c.available, 0) as available, coalesce(b.commission, 0) + coalesce(c.commission, 0) as commission,
        coalesce(b.points, 0) + coalesce(c.points, 0) as points
      from booked as b
      full join (
        select t.uid, t.brokerage, t.frozen, t.available, t.commission, t.points
        from app.carried_balances as t where t.uid between p_from and p_to and p_since > '-infinity'
        union all
        select t.uid, t.brokerage, t.frozen, t.available, t.commission, t.points
        from app.archived_balances as t where t.uid between p_from and p_to and p_since = '-infinity'
      ) as c using (uid)
    )
    select
      'balance_equals_bill', format('uid %s', b.uid),
      format(
        '%s %s %s earned %s and %s', coalesce(s.brokerage, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.commission, 0), coalesce(s.points, 0)
      ),
      format('%s %s %s earned %s and %s', b.brokerage_price, b.frozen_points, b.available_points, b.total_brokerage, b.total_points_earned)
    from app.user_balances as b
    left join sums as s on s.uid = b.uid
    where b.uid between p_from and p_to and (b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned)
      is distinct from (
        coalesce(s.brokerage, 0), coalesce(s.commission, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.points, 0)
      )
    union all
    select
      'balance_equals_last_bill_row', format('uid %s', s.uid),
      format('%s %s %s', l.brokerage_after, l.frozen_after, l.available_after),
      format('%s %s %s', b.brokerage_price, b.frozen_points, b.available_points)
    from booked as s
    join app.user_bill as l on l.uid = s.uid and l.id = s.last_id and l.add_time >= p_since
    join app.user_balances as b on b.uid = s.uid
    where (l.brokerage_after, l.frozen_after, l.available_after) <> (b.brokerage_price, b.frozen_points, b.available_points);
end
$$;

comment on function app.reconcile_balances is
  'Finds members whose balances differ from the sums of their bill rows or from the balances in their last bill row. With p_since, the '
  'sums until then are those that are carried (app.carried_balances). Without it, those of archived months are added '
  '(app.archived_balances).';
