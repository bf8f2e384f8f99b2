-- Counts a member's task counters from the orders themselves (R8, R9): the truth that the kept counters must equal.
-- Callers: rebuild_counters, bind_spread, audit_counts. Reads only; walks the whole downline.
create or replace function app.count_downline(p_uid bigint)
returns table (direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner cannot know how deep the tree is; compiling for its guess takes longer than the query.
set jit = off
as $$
  select
    (count(*) filter (where o.is_direct))::integer,
    count(*)::integer,
    (count(distinct o.uid) filter (where o.is_direct))::integer,
    (count(distinct o.uid))::integer
  from app.downline_orders(p_uid) as o
  where o.reason is null
$$;
