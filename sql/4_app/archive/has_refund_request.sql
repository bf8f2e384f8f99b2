create or replace function app.has_refund_request(p_part regclass)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_has boolean;
begin
  execute format(
    'select exists (select from app.refunds as r where r.state = ''requested'' and exists (select from %s as l where l.order_id = r.order_id))', p_part
  ) into v_has;
  return v_has;
end
$$;

comment on function app.has_refund_request is 'Returns whether a refund of an order with rows in a month of the bill is requested. A few index probes.';
