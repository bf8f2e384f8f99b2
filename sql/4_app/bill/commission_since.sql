-- Two or three index probes, however many orders have paid the member since: commission and its reversal are the only rows that
-- change the commission balance, so the difference of two balances is their sum. An opening balance, which was not earned here, is
-- always the first row of its member.
-- Generic query plan: see app.bill_page.
create or replace function app.commission_since(p_uid bigint, p_from timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select b.brokerage_price - coalesce((
      select l.brokerage_after from app.user_bill as l
      where l.uid = p_uid and l.add_time < p_from
      order by l.add_time desc, l.id desc
      limit 1
    ), (
      select l.brokerage_after from (
        select f.type, f.brokerage_after from app.user_bill as f where f.uid = p_uid order by f.add_time, f.id limit 1
      ) as l
      where l.type = 'opening_balance'
    ), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$$;

comment on function app.commission_since is
  'Returns the commission that a member has earned since a time, less the reversals since then. An '
  'opening balance is not earned. Money, 2 decimals.';
