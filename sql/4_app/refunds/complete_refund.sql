-- Precondition: the caller has locked the order.
create or replace function app.complete_refund(
  p_order_id bigint, p_items app.refund_item[], p_names_units boolean, p_refund_ref text, p_now timestamptz
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  update app.refunds as r
  set state = case when p_names_units then 'refused' else 'refunded' end,
      refund_ref = case when not p_names_units then p_refund_ref end,
      names_units = false, decided_at = p_now, decided_position = nextval('app.positions')
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if v_refund.state is distinct from 'refunded' then
    v_refund := app.insert_refund(p_order_id, 'refunded', p_items, p_names_units, p_refund_ref, v_refund.reason, p_now);
  end if;
  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from unnest(p_items) as i
  where l.id = i.line_id;
  return v_refund;
end
$$;

comment on function app.complete_refund is
  'Writes a completed refund and returns it: if the caller names no units, the open request becomes the refund; otherwise a new '
  'refund is inserted and an open request is refused. Adds the units to the refunded quantities of the order lines.';
