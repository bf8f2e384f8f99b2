-- Raises: month_archived, forbidden, user_not_found, invalid_argument.
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
