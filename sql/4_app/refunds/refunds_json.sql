create or replace function app.refunds_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(app.refund_json(r) order by r.id desc), '[]') from app.refunds as r where r.order_id = p_order_id
$$;

comment on function app.refunds_json is 'Returns all refunds of an order that the caller may read, newest first.';

grant execute on function app.refunds_json(bigint) to authenticated, store_admin;
