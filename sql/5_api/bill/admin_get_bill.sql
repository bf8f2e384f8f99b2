-- Raises: month_archived, forbidden, user_not_found, invalid_argument.
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
