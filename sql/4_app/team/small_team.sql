-- The recursion is lazy: it ends with the row after the limit.
-- Generic query plan: see app.get_upline.
create or replace function app.small_team(p_uid bigint)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_uids bigint[];
begin
  -- The totals may be a minute old. They only spare a large team the attempt.
  if exists (select from app.team_totals as t where t.uid = p_uid and t.umbrella_members > v_limit) then
    return null;
  end if;
  v_uids := array(
    with recursive below as (
      select u.uid from app.users as u where u.spread_uid = p_uid
      union all
      select u.uid from below as b join app.users as u on u.spread_uid = b.uid
    )
    select b.uid from below as b limit v_limit + 1
  );
  return case when cardinality(v_uids) <= v_limit then v_uids end;
end
$$;

comment on function app.small_team is
  'Returns all members below a member, at any depth, or null if there are more than a page may read (app.page_read_limit).';
