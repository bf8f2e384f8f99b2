-- Takes no locks. Precondition for a stable result: the caller has locked the structure and, for the grades, the members'
-- balances.
-- PL/pgSQL, so that the session caches the query plan: a function in plain SQL is planned again by every statement that calls it.
-- Functions with an array or a series as parameter also `set plan_cache_mode = force_generic_plan`: the generic query plan assumes
-- ten elements, which looks more expensive than a custom plan for a short array, so Postgres would plan again for every call.
create or replace function app.get_upline(p_uid bigint)
returns table (depth integer, uid bigint, agent_level smallint)
language plpgsql
stable
rows 20
set search_path = pg_catalog, pg_temp
-- With few members, Postgres would prefer to scan all of them at every step.
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return query
    with recursive upline as (
      select 1 as depth, r.uid, r.agent_level, r.spread_uid
      from app.users as u join app.users as r on r.uid = u.spread_uid
      where u.uid = p_uid
      union all
      select p.depth + 1, r.uid, r.agent_level, r.spread_uid
      from upline as p join app.users as r on r.uid = p.spread_uid
    )
    select upline.depth, upline.uid, upline.agent_level from upline;
end
$$;

comment on function app.get_upline is
  'Returns the referral chain above a member with the grade that each holds now. Depth 1 is the direct referrer. One index '
  'probe for each ancestor.';
