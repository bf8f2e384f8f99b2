-- Reads the whole downline.
create or replace function app.count_downline(p_uid bigint)
returns table (direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the recursion. Compiling the query for its estimate takes longer than running it.
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

comment on function app.count_downline is
  'Computes the task counts of a member from the orders below them (R8, R9). The task counts in app.user_balances must equal the '
  'result.';
