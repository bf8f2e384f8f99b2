create or replace function app.actor_json(p_auth_id uuid)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('auth_id', p_auth_id, 'uid', u.uid, 'nickname', u.nickname)
  from (select p_auth_id as id where p_auth_id is not null) as a
  left join app.users as u on u.auth_id = a.id
$$;

comment on function app.actor_json is 'Returns who made a change, {auth_id, uid, nickname}, or null if the store itself made it.';

grant execute on function app.actor_json(uuid) to store_admin;
