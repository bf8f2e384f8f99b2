-- Raises: invalid_argument, month_archived.
create or replace function app.statement_lines(p_uid bigint, p_month text, p_cursor text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.bill_lines(p_uid, m.begins_at, m.ends_at, p_cursor) from app.month_bounds(app.month_start(p_month)) as m
$$;

comment on function app.statement_lines is
  'Returns the next chunk of a member''s bill of a business month (app.bill_lines). p_month is YYYY-MM.';

grant execute on function app.statement_lines(bigint, text, text) to authenticated, store_admin;
