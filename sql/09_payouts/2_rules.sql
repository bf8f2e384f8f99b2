-- The pure rules of payouts: the fee, what is withdrawable. They read no table unless their comment says so.

create or replace function app.withdrawal_fee(p_amount numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_amount * p_rate, app.money_decimals())
$$;

comment on function app.withdrawal_fee is 'Returns the fee of a withdrawal, rounded down. Money, 2 decimals.';

-- The fee is rounded down, so what is left of an amount a is the least number of cents that is at least a * (1 - p_rate).
create or replace function app.amount_for_net(p_net numeric, p_rate numeric)
returns numeric
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select app.round_down(p_net / (1 - p_rate), app.money_decimals())
$$;

comment on function app.amount_for_net is
  'Returns the largest amount of which at most p_net is left after the fee of app.withdrawal_fee. Money, 2 decimals.';

create or replace function app.withdrawal_may_become(p_from text, p_to text)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select (p_from, p_to) in (
    ('requested', 'approved'), ('requested', 'refused'), ('requested', 'cancelled'),
    ('approved', 'paying'), ('approved', 'paid'), ('approved', 'refused'), ('approved', 'failed'),
    ('paying', 'paid'), ('paying', 'failed')
  )
$$;

comment on function app.withdrawal_may_become is
  'Returns whether a withdrawal can go from one state to another. From paying on, only the bank or the provider knows how it ends. paid, refused, '
  'failed and cancelled are ends.';

-- Has no set clause, so that the planner can inline it.
create or replace function app.is_returned(p_state text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_state in ('refused', 'failed', 'cancelled')
$$;

comment on function app.is_returned is 'Returns whether the amount of a withdrawal in this state has returned to the balance.';

grant execute on function app.is_returned(text) to store_admin;

create or replace function app.masked_account(p_account_no text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when char_length(p_account_no) >= 11 then left(p_account_no, 3) || '****' || right(p_account_no, 4) else '****' || right(p_account_no, 2) end
$$;

comment on function app.masked_account is 'Returns an account number with its middle hidden, for members and for lists.';

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
