-- Precondition: a caller that decides by the result has locked the balances of the member. Other transactions can then only make the
-- result larger, because commission matures.
create or replace function app.withdrawable(p_uid bigint, p_now timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select b.brokerage_price - coalesce((select sum(m.amount_left) from app.maturing(p_uid, p_now) as m), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$$;

comment on function app.withdrawable is
  'Returns how much commission a member can withdraw: the balance less what has not matured. Negative if refunds took back '
  'commission that had been paid out.';

grant execute on function app.withdrawable(bigint, timestamptz) to store_admin;
