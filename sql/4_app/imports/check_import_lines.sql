create or replace function app.check_import_lines()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select 'error', 'order_lines', l.line, 'order_no', 'is not a known order', l.order_no
  from app.staged_order_lines as l where not exists (select from app.staged_orders as o where o.order_no = l.order_no)
  union all
  select 'error', 'order_lines', l.line, 'line_no', 'occurs more than once in the order', l.line_no
  from (select *, count(*) over (partition by x.order_no, x.line_no::bigint) as times from app.staged_order_lines as x) as l where l.times > 1
  union all
  select 'error', 'order_lines', l.line, 'product_id', 'is not a known product', l.product_id
  from app.staged_order_lines as l
  where not exists (select from app.staged_products as p where p.id = l.product_id)
    and not exists (select from app.imported_products as i where i.old_id = l.product_id)
$$;

comment on function app.check_import_lines is
  'Finds staged lines of orders that the store cannot take: of unknown orders or products, and numbers that occur twice in an order.';
