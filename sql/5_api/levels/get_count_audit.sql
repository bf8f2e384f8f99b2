-- GET /adminapi/hjf/member/{uid}/count_audit: a member's task counts taken apart; see app.audit_counts.
-- Security definer: it walks the whole downline with the store's own counter. Raises: forbidden, user_not_found.
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

grant execute on function api.get_count_audit(bigint) to store_admin;
