-- PUT /api/user/spread: binds the caller to a referrer. Security definer: the tree is written by this function only.
-- Raises: unauthenticated and what app.bind_spread raises. Safe twice: as app.bind_spread is.
create or replace function api.bind_spread(p_spread_uid bigint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.bind_spread(v_uid, p_spread_uid, null);
  return jsonb_build_object('uid', v_uid, 'spread_uid', p_spread_uid);
end
$$;

grant execute on function api.bind_spread(bigint) to authenticated, store_admin;
