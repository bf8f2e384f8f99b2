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

-- The fee is rounded down, so what is left of an amount a is the least number of cents that is at least a * (1 -
-- p_rate).
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
  'Returns whether a withdrawal can go from one state to another. From paying on, only the bank or the provider knows '
  'how it ends.';

-- Has no set clause, so that the planner can inline it.
create or replace function app.is_returned(p_state text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_state in ('refused', 'failed', 'cancelled')
$$;

comment on function app.is_returned is
  'Returns whether the amount of a withdrawal in this state has returned to the balance.';

grant execute on function app.is_returned(text) to store_admin;

create or replace function app.masked_account(p_account_no text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when char_length(p_account_no) >= 11 then left(p_account_no, 3) || '****' || right(p_account_no, 4)
    else '****' || right(p_account_no, 2)
  end
$$;

comment on function app.masked_account is
  'Returns an account number with its middle hidden, for members and for lists.';

-- Reads the open requests by their index, which are few, and then the commission of their orders.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.held_now(p_now timestamptz, p_after bigint, p_to bigint)
returns table (uid bigint, order_id bigint, refund_id bigint, amount numeric)
language plpgsql
stable
rows 1
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select m.uid, m.order_id, r.id, m.amount_left
    from app.refunds as r
    join app.commission_maturities as m on m.order_id = r.order_id
    join app.users as u on u.uid = m.uid and u.left_at is null
    where r.state = 'requested' and m.uid > p_after and m.uid <= p_to and m.matures_at <= p_now and m.amount_left > 0
      and app.names_queue_goods(r.id);
end
$$;

comment on function app.held_now is
  'Returns the orders whose matured commission of the members after p_after up to p_to is held (app.held_orders).';

-- No set clause, so that the planner can inline it.
create or replace function app.held_orders(p_uid bigint, p_now timestamptz)
returns table (order_id bigint, refund_id bigint, amount numeric)
language sql
stable
rows 1
as $$
  select h.order_id, h.refund_id, h.amount from app.held_now(p_now, p_uid - 1, p_uid) as h
$$;

comment on function app.held_orders is
  'Returns the orders of which an open refund request for queue goods holds a member''s matured commission, with the '
  'request and the amount. None for a member who has left. Money, 2 decimals.';

-- No set clause, so that the planner can inline it.
create or replace function app.held_of_matured(p_matured numeric, p_held numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select least(greatest(p_matured, 0.00), p_held)
$$;

comment on function app.held_of_matured is
  'Returns how much of a member''s matured commission is held: the sum of app.held_orders, but at most what has '
  'matured of the balance, and at least 0. Money, 2 decimals.';

-- What can be withdrawn covers what is held as far as it suffices, and an open withdrawal the rest.
-- Precondition: a caller that decides by the result has locked the balances of the member. Other transactions can then
-- only make more of it withdrawable, because commission matures: a request for a refund locks the balances of whom its
-- order has paid.
create or replace function app.commission_parts(
  p_uid bigint, p_now timestamptz, out withdrawable numeric, out held_by_refunds numeric, out held_beyond numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_matured numeric := (
    select b.brokerage_price - coalesce((select sum(m.amount_left) from app.maturing(p_uid, p_now) as m), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
  v_held numeric := (select coalesce(sum(h.amount), 0.00) from app.held_orders(p_uid, p_now) as h);
begin
  held_by_refunds := app.held_of_matured(v_matured, v_held);
  withdrawable := v_matured - held_by_refunds;
  held_beyond := v_held - held_by_refunds;
end
$$;

comment on function app.commission_parts is
  'Returns what of a member''s matured commission can be withdrawn, and what open refund requests hold of it '
  '(app.held_of_matured). held_beyond: how much more they would take back, which was withdrawn before. Money, 2 '
  'decimals.';

-- Precondition: as for app.commission_parts.
create or replace function app.withdrawable(p_uid bigint, p_now timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (app.commission_parts(p_uid, p_now)).withdrawable;
end
$$;

comment on function app.withdrawable is
  'Returns how much commission a member can withdraw: the balance less what is maturing and held. Negative if refunds '
  'took back commission that had been paid out.';

-- Precondition: as for app.commission_parts.
create or replace function app.held_of_withdrawal(p_withdrawal app.withdrawals, p_now timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  -- From paying on, only the bank or the provider knows how it ends.
  if p_withdrawal.state not in ('requested', 'approved') then
    return 0.00;
  end if;
  return least(p_withdrawal.amount, (app.commission_parts(p_withdrawal.uid, p_now)).held_beyond);
end
$$;

comment on function app.held_of_withdrawal is
  'Returns how much of a requested or approved withdrawal open refund requests hold: what they would take back beyond '
  'the balance of the member. Otherwise 0. Money, 2 decimals.';

create or replace function app.held_orders_json(p_withdrawal app.withdrawals, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'order_id', h.order_id, 'order_no', o.order_no, 'refund_id', h.refund_id, 'amount', h.amount::text
  ) order by h.order_id), '[]')
  from app.held_orders(p_withdrawal.uid, p_now) as h join app.orders as o on o.id = h.order_id
  where p_withdrawal.state in ('requested', 'approved')
$$;

comment on function app.held_orders_json is
  'Returns the orders whose refund requests hold commission of the member of a withdrawal, as administrators see them; '
  'none from paying on.';

-- Precondition: as for app.commission_parts.
create or replace function app.held_withdrawals(p_ids bigint[], p_now timestamptz)
returns table (id bigint, withdrawal_no text, amount numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with concerned as materialized (
    select w.* from app.withdrawals as w
    where w.id = any (p_ids) and w.uid in (
      select m.uid from app.refunds as r join app.commission_maturities as m on m.order_id = r.order_id
      where r.state = 'requested' and m.amount_left > 0
    )
  ), held as materialized (
    select c.id, c.withdrawal_no, app.held_of_withdrawal(c::app.withdrawals, p_now) as amount from concerned as c
  )
  select h.id, h.withdrawal_no, h.amount from held as h where h.amount > 0
$$;

comment on function app.held_withdrawals is
  'Returns those of these withdrawals of which open refund requests hold something, and how much '
  '(app.held_of_withdrawal). Money, 2 decimals.';

-- Precondition: the caller has locked the withdrawals, then the balances of their members, so that a request for a
-- refund comes before or after this.
create or replace function app.reject_holds(p_ids bigint[], p_held_by_refunds numeric, p_now timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_held numeric;
  v_names text[];
begin
  select sum(h.amount), array_agg(format('%s (%s)', h.withdrawal_no, h.amount) order by h.id) into v_held, v_names
  from app.held_withdrawals(p_ids, p_now) as h;
  if v_held is distinct from p_held_by_refunds and v_held is not null then
    -- Which ones, as far as a sentence can say it.
    perform app.fail('held_by_refunds', format(
      'Open refund requests hold %s: %s.', v_held,
      array_to_string(v_names[:20], ', ') || case when cardinality(v_names) > 20 then ' …' else '' end
    ), '/held_by_refunds');
  end if;
  return v_held;
end
$$;

comment on function app.reject_holds is
  'Returns how much open refund requests hold of these withdrawals together, null if nothing. Raises held_by_refunds, '
  'with the amount and the withdrawals, unless p_held_by_refunds is that amount. Money, 2 decimals.';
