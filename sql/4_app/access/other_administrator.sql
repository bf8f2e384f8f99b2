-- Precondition: the caller runs with owner rights, because client roles cannot read auth.users.
create or replace function app.other_administrator(p_area text, p_but uuid, p_uid bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select
    from app.administrators as a
    join auth.users as u on u.id = a.auth_id
    join app.role_areas() as r on r.role = any (a.roles)
    where a.auth_id is distinct from p_but and p_area = any (r.areas)
      and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true)
      and not exists (select from app.users as m where m.uid = p_uid and m.auth_id = a.auth_id)
  )
$$;

comment on function app.other_administrator is
  'Returns whether an administrator other than the account p_but may act in an area on the member p_uid: active, with a role that '
  'allows the area, and not the member.';
