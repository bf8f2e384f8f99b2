-- PUT /adminapi/hjf/member/{uid}/no_assess: takes a member out of the assessment counts, or back in (R9).
-- Security definer: members are written by functions only. Raises: forbidden, user_not_found, invalid_argument. Safe twice.
create or replace function api.set_no_assess(p_uid bigint, p_no_assess boolean)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.set_no_assess(p_uid, p_no_assess, auth.uid(), null);
  return jsonb_build_object('uid', p_uid, 'no_assess', p_no_assess);
end
$$;

grant execute on function api.set_no_assess(bigint, boolean) to store_admin;
