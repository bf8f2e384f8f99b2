-- Frees the place of an order that leaves no base to pay it from, while its cycle is open; closed cycles stay closed.
-- Callers: refund_order. Locks: the caller holds the order and the earner's row. Safe twice: a place is freed once.
create or replace function app.free_place(p_order app.orders, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with freed as (
    update app.settlements as s set place_freed_at = p_now
    from app.user_balances as b
    where s.order_id = p_order.id and p_order.queue_base = 0 and s.place_freed_at is null
      and b.uid = s.earner_uid and b.cycle_is_open and b.cycle_no = s.cycle_no
    returning s.earner_uid
  )
  update app.user_balances as b set total_places = b.total_places - 1 from freed as f where b.uid = f.earner_uid
$$;
