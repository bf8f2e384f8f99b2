create or replace function app.reconcile_imports()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'import_is_finished', format('import %s', i.id), 'finished',
    format('stopped after %s products, %s members, %s orders and %s bill rows; npm run import continues it, and with --abandon ends it', i.products, i.members, i.orders, i.bill_rows)
  from app.imports as i
  where i.finished_at is null
$$;

comment on function app.reconcile_imports is 'Finds an import that was stopped, or that is running now.';
