-- The chain above a member with each one's level now, the points per unit of that level, and what the members below
-- them in the chain already pass on of the umbrella amount (R7).
-- Callers: level_entries, settlement_participants. Reads only; hold the locks if the answer is to stay true.
create or replace function app.upline_shares(p_uid bigint)
returns table (
  depth integer, uid bigint, agent_level smallint, direct_points numeric, umbrella_points numeric, passed_on numeric
)
language sql
stable
rows 20
set search_path = ''
as $$
  select
    a.depth, a.uid, u.agent_level, l.direct_points, l.umbrella_points,
    coalesce(max(l.umbrella_points) over (order by a.depth rows between unbounded preceding and 1 preceding), 0)
  from app.get_upline(p_uid) as a
  join app.users as u on u.uid = a.uid
  join app.agent_levels as l on l.grade = u.agent_level
$$;
