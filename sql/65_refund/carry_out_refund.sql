-- The row of a refund that is carried out now: without named units the open request, otherwise a new one, and an open
-- request is refused by it.
-- Callers: refund_order. Locks: the caller holds the order. Raises: refund_exceeds_order, invalid_argument.
create or replace function app.carry_out_refund(p_order_id bigint, p_lines jsonb, p_refund_ref text, p_now timestamptz)
returns app.refunds
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  update app.refunds as r
  set state = case when p_lines is null then 'refunded' else 'refused' end,
      refund_ref = case when p_lines is null then p_refund_ref end, names_units = false, decided_at = p_now
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if v_refund.state = 'refunded' then
    return v_refund;
  end if;
  return app.record_refund(p_order_id, 'refunded', p_lines, p_refund_ref, v_refund.reason, p_now);
end
$$;
