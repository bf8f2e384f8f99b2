-- The grade a member held when the newest level change was p_mark. Callers: explain_levels. Reads only.
create or replace function app.level_at(p_uid bigint, p_mark bigint)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select c.from_level from app.level_changes as c where c.uid = p_uid and c.id > p_mark order by c.id limit 1),
    (select u.agent_level from app.users as u where u.uid = p_uid)
  )
$$;
