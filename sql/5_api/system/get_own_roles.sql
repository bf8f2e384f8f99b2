-- Security definer: client roles may not use schema auth, which has the id of the caller.
-- Raises: forbidden.
create or replace function api.get_own_roles()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'auth_id', a.auth_id, 'roles', to_jsonb(a.roles),
      'areas', (
        select jsonb_agg(distinct n.area)
        from app.role_areas() as r cross join lateral unnest(r.areas) as n (area)
        where r.role = any (a.roles)
      )
    )
    from app.administrators as a where a.auth_id = auth.uid()
  );
end
$$;

comment on function api.get_own_roles is
  'Returns the roles of the calling administrator, and the areas that they may change. Serves GET /adminapi/me.';

grant execute on function api.get_own_roles() to store_admin;
