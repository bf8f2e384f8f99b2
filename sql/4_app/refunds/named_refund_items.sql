-- Precondition: the caller has locked the order, unless it is a preview.
-- Raises: invalid_argument, refund_exceeds_order.
create or replace function app.named_refund_items(p_order_id bigint, p_lines jsonb)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_lines) <> 'array' or jsonb_array_length(p_lines) not between 1 and 50 then
    perform app.fail('invalid_argument', 'A refund has between 1 and 50 lines.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i
    where jsonb_typeof(i.value) <> 'object' or coalesce(i.value ->> 'line_id', '') !~ '^[0-9]{1,18}$'
      or coalesce(i.value ->> 'quantity', '') !~ '^[1-9][0-9]{0,3}$'
  ) then
    perform app.fail('invalid_argument', 'Every line of a refund needs a line_id and a quantity between 1 and 9999.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i group by (i.value ->> 'line_id')::bigint having count(*) > 1
  ) then
    perform app.fail('invalid_argument', 'A refund may contain each line only once.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i
    left join app.order_lines as l on l.id = (i.value ->> 'line_id')::bigint and l.order_id = p_order_id
    where l.id is null or (i.value ->> 'quantity')::integer > l.quantity - l.refunded_quantity
  ) then
    perform app.fail('refund_exceeds_order', 'The refund contains units that the order does not have or that were already refunded.');
  end if;
  return array(
    select ((i.value ->> 'line_id')::bigint, (i.value ->> 'quantity')::integer)::app.refund_item from jsonb_array_elements(p_lines) as i
  );
end
$$;

comment on function app.named_refund_items is
  'Returns the units that p_lines names, [{"line_id", "quantity"}], after checking them against what is left of each line.';
