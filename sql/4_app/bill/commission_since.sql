-- A few index probes, however many orders have paid the member since: the difference of two balances is the sum of all rows between
-- them, and the rows that are not earned are few and have tables of their own. An opening balance is always the first row of its
-- member.
-- Generic query plan: see app.bill_page.
-- Raises: serialization_failure (see app.hold_months).
create or replace function app.commission_since(p_uid bigint, p_from timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  return (
    select b.brokerage_price - coalesce((
      select l.brokerage_after from app.user_bill as l
      where l.uid = p_uid and l.add_time < p_from
      order by l.add_time desc, l.id desc
      limit 1
    ), (
      select a.brokerage from app.archived_balances as a where a.uid = p_uid
    ), (
      select l.brokerage_after from (
        select f.type, f.brokerage_after from app.user_bill as f where f.uid = p_uid order by f.add_time, f.id limit 1
      ) as l
      where l.type = 'opening_balance'
    ), 0) + coalesce((
      select sum(w.amount * ((w.add_time >= p_from)::integer - (w.state in ('refused', 'failed') and w.ended_at >= p_from)::integer))
      from app.withdrawals as w where w.uid = p_uid
    ), 0) - coalesce((
      select sum(a.brokerage_delta) from app.adjustments as a where a.uid = p_uid and a.state = 'booked' and a.decided_at >= p_from
    ), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$$;

comment on function app.commission_since is
  'Returns the commission that a member has earned since a time, less the reversals since then. Opening balances, adjustments, withdrawals '
  'and returned withdrawals are not earned. Money, 2 decimals.';
