-- What clients may call about bills and statements.

create or replace function api.admin_get_bill(
  p_uid bigint, p_type text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.bill_page(p_uid, p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$$;

comment on function api.admin_get_bill is
  'Returns one page of a member''s bill, newest first, filtered by bill type and time. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/user/{uid}/bill.';

grant execute on function api.admin_get_bill(bigint, text, timestamptz, timestamptz, integer, integer, text) to store_admin;

create or replace function api.admin_get_statement(p_uid bigint, p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.statement_json(p_uid, p_month);
end
$$;

comment on function api.admin_get_statement is
  'Returns a member''s statement of a business month (app.statement_json). Serves GET /adminapi/user/{uid}/statement.';

grant execute on function api.admin_get_statement(bigint, text) to store_admin;

create or replace function api.admin_get_statement_lines(p_uid bigint, p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.statement_lines(p_uid, p_month, p_cursor);
end
$$;

comment on function api.admin_get_statement_lines is
  'Returns the next chunk of a member''s bill of a business month as lines of a CSV file. Serves '
  'GET /adminapi/user/{uid}/statement/csv.';

grant execute on function api.admin_get_statement_lines(bigint, text, text) to store_admin;

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
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

create or replace function api.get_statement(p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_json(app.require_uid(), p_month);
end
$$;

comment on function api.get_statement is
  'Returns the caller''s statement of a business month (app.statement_json). Serves GET /api/statement.';

grant execute on function api.get_statement(text) to authenticated, store_admin;

create or replace function api.get_statement_lines(p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_lines(app.require_uid(), p_month, p_cursor);
end
$$;

comment on function api.get_statement_lines is
  'Returns the next chunk of the caller''s bill of a business month as lines of a CSV file. Serves GET /api/statement/csv.';

grant execute on function api.get_statement_lines(text, text) to authenticated, store_admin;
