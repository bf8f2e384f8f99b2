create or replace function app.level_at(p_uid bigint, p_position bigint)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select c.from_level from app.level_changes as c where c.uid = p_uid and c.position >= p_position order by c.position, c.id limit 1),
    (select u.agent_level from app.users as u where u.uid = p_uid)
  )
$$;

comment on function app.level_at is 'Returns the grade that a member held at a position.';
