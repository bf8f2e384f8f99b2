create or replace function app.clear_import()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  truncate app.staged_products, app.staged_members, app.staged_openids, app.staged_orders, app.staged_order_lines, app.staged_refunds, app.staged_bill;
end
$$;

comment on function app.clear_import is 'Empties the staging tables, before and after each run of an import.';
