create or replace function app.may_change(p_area text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(p_area);
  return true;
exception when sqlstate 'PT403' then
  return false;
end
$$;

comment on function app.may_change is
  'Returns whether the roles of the calling administrator allow an area (app.role_areas), for what only some administrators see.';
