-- Security definer: client roles may not execute the functions that walk the downline.
-- Raises: forbidden, user_not_found.
create or replace function api.get_count_audit(p_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.audit_counts(p_uid);
end
$$;

comment on function api.get_count_audit is
  'Returns a member''s task counts order by order, as app.audit_counts lists them. Serves GET '
  '/adminapi/hjf/member/{uid}/count_audit.';

grant execute on function api.get_count_audit(bigint) to store_admin;
