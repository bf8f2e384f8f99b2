create or replace function app.first_position(p_from timestamptz)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(least(
    (select min(s.position) from app.settlements as s where s.settled_at >= p_from),
    (select min(r.position) from app.refunds as r where r.created_at >= p_from),
    (select min(r.decided_position) from app.refunds as r where r.decided_at >= p_from),
    (select min(n.position) from app.no_assess_changes as n where n.add_time >= p_from),
    (select min(c.position) from app.level_changes as c where c.add_time >= p_from)
  ), 9223372036854775807)
$$;

comment on function app.first_position is
  'Returns the position of the first event at or after p_from among all that the engine replays, or the highest bigint if '
  'there is none.';
