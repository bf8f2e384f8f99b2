-- All values are checked first. The other checks cast values, so they run only if every value can be read as its type.
create or replace function app.check_import(p_now timestamptz, p_limit integer default 20)
returns table (severity text, file text, line integer, name text, finding text, value text, total bigint)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  analyze app.staged_products, app.staged_members, app.staged_openids, app.staged_orders, app.staged_order_lines, app.staged_refunds, app.staged_bill;
  return query
    select c.severity, c.file, c.line, c.name, c.finding, c.value, c.total
    from (
      select f.*, row_number() over w as number, count(*) over (partition by f.severity, f.file, f.name, f.finding) as total
      from app.check_import_values(p_now) as f
      window w as (partition by f.severity, f.file, f.name, f.finding order by f.line)
    ) as c
    where c.number <= p_limit
    order by c.file, c.line;
  if found then
    return;
  end if;
  return query
    select c.severity, c.file, c.line, c.name, c.finding, c.value, c.total
    from (
      select f.*, row_number() over w as number, count(*) over (partition by f.severity, f.file, f.name, f.finding) as total
      from (
        select * from app.check_import_members()
        union all select * from app.check_import_orders(p_now)
        union all select * from app.check_import_lines()
        union all select * from app.check_import_refunds()
        union all select * from app.check_imported_members()
        union all select * from app.check_imported_orders()
      ) as f
      window w as (partition by f.severity, f.file, f.name, f.finding order by f.line)
    ) as c
    where c.number <= p_limit
    order by c.severity, c.file, c.line;
end
$$;

comment on function app.check_import is
  'Checks the staged rows of an import and returns the findings, at most p_limit of each kind, with their total: values that cannot be '
  'read, and, if there are none, loops of referrers, unknown members, products and orders, sums that do not fit, and differences from '
  'earlier imports. Errors prevent the import; warnings say what it will do.';
