-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are.
create or replace function app.below_in_tree(p_uid bigint, p_uids bigint[], p_referrers bigint[])
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
begin
  return array(
    with recursive tree as materialized (select t.uid, t.referrer from unnest(p_uids, p_referrers) as t (uid, referrer)),
    below as (
      select t.uid from tree as t where t.referrer = p_uid
      union all
      select t.uid from below as b join tree as t on t.referrer = b.uid
    )
    select b.uid from below as b
  );
end
$$;

comment on function app.below_in_tree is
  'Returns the members of a tree who are below p_uid, at any depth. p_referrers are the referrers of p_uids. It reads no table.';
