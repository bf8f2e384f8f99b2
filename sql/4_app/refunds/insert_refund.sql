-- Precondition: the caller has locked the order.
create or replace function app.insert_refund(
  p_order_id bigint, p_state text, p_items app.refund_item[], p_names_units boolean, p_refund_ref text, p_reason text, p_now timestamptz
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
  v_position bigint := nextval('app.positions');
begin
  insert into app.refunds (
    order_id, state, refund_ref, reason, amount, points, names_units, created_at, decided_at, position, decided_position
  )
  values (
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''), app.refund_amount(p_order_id, p_items),
    app.refund_points(p_order_id, p_items), p_names_units, p_now, case when p_state <> 'requested' then p_now end, v_position, case when p_state <> 'requested' then v_position end
  )
  returning * into v_refund;
  insert into app.refund_lines (refund_id, line_id, quantity)
  select v_refund.id, i.line_id, i.quantity from unnest(p_items) as i;
  return v_refund;
end
$$;

comment on function app.insert_refund is
  'Inserts a refund in the given state with its lines, the amount and the points of its units, and returns it. p_names_units tells whether '
  'the caller named the units.';
