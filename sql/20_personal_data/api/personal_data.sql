-- What clients may call about their own data: copies and the deletion of an account.

-- Not idempotent: each part that is read is recorded.
create or replace function api.export_member(p_uid bigint, p_cursor text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_part jsonb;
begin
  perform app.require_admin('money');
  v_part := app.export_member(p_uid, p_cursor);
  perform app.record_action(
    'export_member', 'member', p_uid::text, null, jsonb_build_object('is_complete', v_part -> 'next_cursor' = 'null')
  );
  return v_part;
end
$$;

comment on function api.export_member is
  'Returns the next part of everything that the store knows about a member (app.export_member), and records that it '
  'was read. Serves POST /adminapi/user/{uid}/export.';

grant execute on function api.export_member(bigint, text) to store_admin;

-- Locks: the count of the caller's exports; with the last part, their open request for a copy.
-- Not idempotent: the first part of each export counts, and the last one is entered in the register.
create or replace function api.export_me(p_cursor text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_part jsonb;
begin
  perform app.use_quota(v_uid, 'export', clock_timestamp()) where p_cursor is null;
  v_part := app.export_member(v_uid, p_cursor);
  perform app.enter_own_copy(v_uid, clock_timestamp()) where v_part -> 'next_cursor' = 'null';
  return v_part;
end
$$;

comment on function api.export_me is
  'Returns the next part of everything that the store knows about the caller (app.export_member), and enters a '
  'complete copy in the register. Serves POST /api/user/export.';

grant execute on function api.export_me(text) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. Client roles cannot
-- read auth.sessions.
create or replace function api.get_deletion()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.deletion_json(app.require_uid(), clock_timestamp()) || jsonb_build_object(
    'needs_sign_in', not app.has_signed_in_lately()
  );
end
$$;

comment on function api.get_deletion is
  'Returns the deletion of the account of the caller (app.deletion_json), and whether they must sign in again before '
  'they can ask for it. Serves GET /api/user/deletion.';

grant execute on function api.get_deletion() to authenticated, store_admin;

-- Locks: see app.request_deletion.
-- Idempotent: see app.request_deletion.
create or replace function api.request_deletion(
  p_brokerage numeric, p_frozen_points numeric, p_available_points numeric
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.require_recent_sign_in();
  perform app.request_deletion(v_uid, p_brokerage, p_frozen_points, p_available_points, null);
  return api.get_deletion();
end
$$;

comment on function api.request_deletion is
  'Asks for the deletion of the account of the caller, after a recent sign-in (app.request_deletion, '
  'app.require_recent_sign_in). Returns what get_deletion returns. Serves POST /api/user/deletion.';

grant execute on function api.request_deletion(numeric, numeric, numeric) to authenticated, store_admin;

-- Locks: see app.cancel_deletion.
-- Idempotent: see app.cancel_deletion.
create or replace function api.cancel_deletion()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.cancel_deletion(app.require_uid(), null);
  return api.get_deletion();
end
$$;

comment on function api.cancel_deletion is
  'Keeps the account of the caller (app.cancel_deletion). Returns what get_deletion returns. Serves DELETE '
  '/api/user/deletion.';

grant execute on function api.cancel_deletion() to authenticated, store_admin;
