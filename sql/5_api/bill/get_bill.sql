-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: month_archived, unauthenticated, invalid_argument.
create or replace function api.get_bill(
  p_type text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.bill_page(app.require_uid(), p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$$;

comment on function api.get_bill is
  'Returns one page of the caller''s bill, newest first, filtered by bill type and time. Pages are numbered or follow a '
  'cursor. Serves GET /api/bill.';

grant execute on function api.get_bill(text, timestamptz, timestamptz, integer, integer, text) to authenticated, store_admin;
