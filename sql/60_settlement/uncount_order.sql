-- Takes a counted order out of the counts of its buyer and the buyer's upline (R8, R9); the reverse of count_order.
-- Callers: set_refund_status. Locks: the caller has locked buyer and upline. Not safe twice, like count_order.
create or replace function app.uncount_order(p_order app.orders)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_own_orders integer;
begin
  update app.user_balances as b set own_orders = b.own_orders - 1 where b.uid = p_order.uid
  returning b.own_orders into v_own_orders;
  if not (select u.no_assess from app.users as u where u.uid = p_order.uid) then
    perform app.add_to_counters(p_order.uid, -1, -(v_own_orders = 0)::integer);
  end if;
end
$$;
