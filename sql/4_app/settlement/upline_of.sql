-- The recursion goes up from all members at once. A shared ancestor appears once for each amount that members below pass on
-- (R7), which is at most once for each level.
-- Generic query plan: see app.get_upline.
-- Precondition: the caller has locked the structure.
create or replace function app.upline_of(p_uids bigint[], p_levels app.level_rule[], out uids bigint[], out written bigint[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- With few members, Postgres would scan all of them at every step.
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  with recursive upline as (
    select u.uid, u.spread_uid, u.agent_level, 0 as height, 0::numeric as passed_on
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select
      r.uid, r.spread_uid, r.agent_level, least(p.height + 1, 2),
      case p.height when 0 then 0 else greatest(p.passed_on, p_levels[p.agent_level + 1].umbrella_points) end
    from upline as p join app.users as r on r.uid = p.spread_uid
  )
  select array_agg(m.uid order by m.uid), array_agg(m.uid order by m.uid) filter (where m.is_written)
  into uids, written
  from (
    select p.uid, bool_or(
      p.height < 2 or p_levels[p.agent_level + 1].is_counted or p_levels[p.agent_level + 1].umbrella_points > p.passed_on
    ) as is_written
    from upline as p
    group by p.uid
  ) as m;
end
$$;

comment on function app.upline_of is
  'Returns the given members and their uplines, sorted (uids), and which of them a decision may write (written): the given '
  'members, their referrers, members with task counts, and members who may get points by level.';
