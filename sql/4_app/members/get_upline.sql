-- The referral chain above a member, each with the grade held now: depth 1 is the direct referrer. One index probe a
-- step, so a chain of 10,000 is fine.
-- Callers: settlements, binding, counters, explanations. Locks: none; hold the structure lock if the chain is to stay
-- true, and the balances of the members if their grades are.
-- In plpgsql because its plan is kept: a function in plain SQL is planned anew by every statement that calls it. Where a
-- statement takes an array or a series, the generic plan is asked for by `set plan_cache_mode`: Postgres would plan anew for
-- every call, since it takes a short array for cheaper than the ten elements that the generic plan assumes.
create or replace function app.get_upline(p_uid bigint)
returns table (depth integer, uid bigint, agent_level smallint)
language plpgsql
stable
rows 20
set search_path = pg_catalog, pg_temp
-- While there are few members Postgres would rather read them all, at every step.
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
