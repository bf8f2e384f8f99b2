-- Raises: refund_reference_used.
create or replace function app.replay_refund(p_refund app.refunds, p_lines jsonb)
returns app.refunds
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_same boolean;
begin
  if p_lines is null then
    v_is_same := not p_refund.names_units;
  else
    v_is_same := (
      select jsonb_agg(jsonb_build_array(i.value ->> 'line_id', i.value ->> 'quantity') order by i.value ->> 'line_id')
      from jsonb_array_elements(case jsonb_typeof(p_lines) when 'array' then p_lines else '[]' end) as i
    ) is not distinct from (
      select jsonb_agg(jsonb_build_array(l.line_id::text, l.quantity::text) order by l.line_id::text)
      from app.refund_lines as l where l.refund_id = p_refund.id
    );
  end if;
  if not v_is_same then
    perform app.fail('refund_reference_used', 'Another refund of this order has this reference.');
  end if;
  return p_refund;
end
$$;

comment on function app.replay_refund is
  'Returns the refund that was carried out before under the same reference, for a repeated request. Raises an error if the '
  'request names other units, or names none where the first one named some.';
