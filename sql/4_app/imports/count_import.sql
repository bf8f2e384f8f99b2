-- Precondition: app.check_import finds no error.
create or replace function app.count_import()
returns table (file text, total bigint, new_rows bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select 'products', count(*), count(*) filter (where i.old_id is null)
  from app.staged_products as s left join app.imported_products as i on i.old_id = s.id
  union all
  select 'members', count(*), count(*) filter (where i.old_uid is null)
  from app.staged_members as s left join app.imported_members as i on i.old_uid = s.uid::bigint
  union all
  select 'orders', count(*), count(*) filter (where o.id is null)
  from app.staged_orders as s left join app.orders as o on o.order_no = s.order_no
  union all
  select 'bill', count(*), count(*) filter (where b.uid is null)
  from app.staged_bill as s left join app.imported_bill as b on b.source = s.source and b.old_id = s.id
$$;

comment on function app.count_import is 'Returns how many rows the files of an import have, and how many of them are not imported yet.';
