-- The chain above a member with each one's level now, the points per unit of that level, and what the members below
-- them in the chain already pass on of the umbrella amount (R7).
-- Callers: book_settlement, order_participants. Reads only; hold the locks if the answer is to stay true.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.upline_shares(p_uid bigint)
returns setof app.upline_member
language plpgsql
stable
rows 20
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select
      a.depth, a.uid, a.agent_level, l.direct_points, l.umbrella_points,
      coalesce(max(l.umbrella_points) over (order by a.depth rows between unbounded preceding and 1 preceding), 0),
      a.agent_level < t.top_grade
    from app.get_upline(p_uid) as a
    join app.agent_levels as l on l.grade = a.agent_level
    cross join (select max(h.grade) as top_grade from app.agent_levels as h where h.is_active) as t;
end
$$;
