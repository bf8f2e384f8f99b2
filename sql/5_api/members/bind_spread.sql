-- Security definer: client roles have no write privilege on members.
-- Locks: structure (exclusive), then balances by uid.
-- Raises: unauthenticated and what app.bind_spread raises.
-- Idempotent: binding to the same referrer again changes nothing.
create or replace function api.bind_spread(p_spread_uid bigint)
returns jsonb
language plpgsql
volatile
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

comment on function api.bind_spread is 'Binds the caller to a referrer, once (app.bind_spread). Serves PUT /api/user/spread.';

grant execute on function api.bind_spread(bigint) to authenticated, store_admin;
