-- What an order changes in the task counters when it begins to count (p_step 1) or ceases to (-1): the buyer's own
-- orders and, unless the buyer is flagged no_assess (R9), the counters of the upline (R8).
-- p_upline: the chain above the buyer, as upline_shares gives it.
-- Callers: book_settlement, set_refund_status; book_entries writes it. Reads only; the caller has locked them all.
create or replace function app.order_counts(p_order app.orders, p_upline app.upline_member[], p_step integer)
returns app.member_change[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_own_orders integer;
  v_no_assess boolean;
  v_counts app.member_change[] := array[(p_order.uid, p_step, 0, 0, 0, 0, 0, null, null, null)::app.member_change];
begin
  select b.own_orders, u.no_assess into v_own_orders, v_no_assess
  from app.user_balances as b join app.users as u on u.uid = b.uid
  where b.uid = p_order.uid;
  if v_no_assess then
    return v_counts;
  end if;
  -- A member counts from the first order to the last.
  return v_counts || app.upline_counts(p_upline, p_step, case when least(v_own_orders, v_own_orders + p_step) = 0 then p_step else 0 end);
end
$$;
