-- Precondition: the caller has locked the order, unless it is a preview.
-- Raises: invalid_argument, refund_exceeds_order (also if nothing is left).
create or replace function app.refund_items(p_order_id bigint, p_lines jsonb, p_takes_request boolean)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_items app.refund_item[];
begin
  if p_lines is not null then
    return app.named_refund_items(p_order_id, p_lines);
  end if;
  if p_takes_request then
    v_items := array(
      select (i.line_id, i.quantity)::app.refund_item
      from app.refunds as r join app.refund_lines as i on i.refund_id = r.id
      where r.order_id = p_order_id and r.state = 'requested'
    );
  end if;
  if coalesce(cardinality(v_items), 0) = 0 then
    v_items := array(
      select (l.id, l.quantity - l.refunded_quantity)::app.refund_item from app.order_lines as l
      where l.order_id = p_order_id and l.quantity > l.refunded_quantity
      order by l.id
    );
  end if;
  if cardinality(v_items) = 0 then
    perform app.fail('refund_exceeds_order', 'Nothing of this order is left to refund.');
  end if;
  return v_items;
end
$$;

comment on function app.refund_items is
  'Returns the units that a refund is about, checked against what is left of the order: the units of p_lines, [{"line_id", '
  '"quantity"}]; else, with p_takes_request, those of the open request; else all that is left.';
