-- Counts a settled order for its buyer and, unless the buyer is flagged no_assess (R9), for the buyer's upline (R8).
-- Callers: settle_locked_order, refunds. Locks: the caller has locked buyer and upline.
-- Not safe twice: the caller counts an order when it becomes countable.
create or replace function app.count_order(p_order app.orders)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_own_orders integer;
begin
  update app.user_balances as b set own_orders = b.own_orders + 1 where b.uid = p_order.uid
  returning b.own_orders into v_own_orders;
  if not (select u.no_assess from app.users as u where u.uid = p_order.uid) then
    perform app.add_to_counters(p_order.uid, 1, (v_own_orders = 1)::integer);
  end if;
end
$$;
