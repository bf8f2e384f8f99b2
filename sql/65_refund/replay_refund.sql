-- Answers a repeated refund with the one carried out before under the same reference; other units are refused.
-- Callers: refund_order. Reads only. Raises: refund_reference_used.
create or replace function app.replay_refund(p_refund app.refunds, p_lines jsonb)
returns app.refunds
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_lines is not null and (
    select jsonb_object_agg(i.value ->> 'line_id', i.value ->> 'quantity') from jsonb_array_elements(p_lines) as i
  ) is distinct from (
    select jsonb_object_agg(l.line_id, l.quantity::text) from app.refund_lines as l where l.refund_id = p_refund.id
  ) then
    perform app.fail('refund_reference_used', 'Another refund of this order has this reference.');
  end if;
  return p_refund;
end
$$;
