-- Security definer: client roles cannot read addresses, payout accounts and WeChat ids.
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.export_member(p_uid bigint, p_cursor text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.export_member(p_uid, p_cursor);
end
$$;

comment on function api.export_member is
  'Returns the next part of everything that the store knows about a member (app.export_member). Serves GET /adminapi/user/{uid}/export.';

grant execute on function api.export_member(bigint, text) to store_admin;
