-- Raises: month_archived, forbidden, user_not_found, invalid_argument.
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
