-- Security definer: client roles have no write privilege on members.
-- Locks: the member.
-- Raises: unauthenticated, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_me(p_nickname text default null, p_avatar text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_constraint text;
begin
  update app.users as u
  set nickname = case when p_nickname is null then u.nickname else app.visible_text(p_nickname) end,
      avatar = case when p_avatar is null then u.avatar else nullif(p_avatar, '') end
  where u.uid = v_uid;
  return api.get_me();
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_me is
  'Changes nickname and avatar of the caller and returns the member. Null leaves a value as it is; an empty avatar removes it. '
  'Serves PUT /api/user.';

grant execute on function api.set_me(text, text) to authenticated, store_admin;
