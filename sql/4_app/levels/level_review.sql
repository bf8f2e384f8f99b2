-- A page reads a bounded number of rows. A member below the top grade has maintained counts and is assumed to cost ten reads. A member
-- at the top grade must be counted, which reads the downline. The team totals, which are at most a minute old, say how large it is.
create or replace function app.level_review(p_after bigint, p_limit integer)
returns table (uid bigint, reached_level smallint, counts app.user_balances, next_after bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left integer := app.page_read_limit();
  v_top constant smallint := app.top_grade();
  v_found integer := 0;
  v_last bigint := p_after;
  v_user app.users;
  v_cost bigint;
begin
  for v_user in select u.* from app.users as u where u.agent_level > 0 and u.uid > p_after order by u.uid loop
    v_cost := case
      when v_user.agent_level < v_top then 10
      else 10 + coalesce((select t.umbrella_members + t.umbrella_orders from app.team_totals as t where t.uid = v_user.uid), 0)
    end;
    if v_found = p_limit or (v_cost > v_left and v_left < app.page_read_limit()) then
      next_after := v_last;
      uid := null;
      return next;
      return;
    end if;
    v_last := v_user.uid;
    v_left := v_left - v_cost;
    uid := v_user.uid;
    reached_level := null;
    select b.* into counts from app.user_balances as b where b.uid = v_user.uid;
    if v_user.agent_level >= v_top and v_left >= 0 then
      select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members
      into counts.direct_orders, counts.umbrella_orders, counts.direct_members, counts.umbrella_members
      from app.count_downline(v_user.uid) as c;
    end if;
    if v_user.agent_level < v_top or v_left >= 0 then
      reached_level := app.level_by_tasks(counts);
      continue when reached_level >= v_user.agent_level;
    end if;
    v_found := v_found + 1;
    return next;
  end loop;
end
$$;

comment on function app.level_review is
  'Returns members after p_after, by uid, who would not reach their level with the orders that are left after refunds, together with the '
  'grade that they would reach and their task counts. reached_level is null for a member at the top grade whose downline is too large to '
  'count on a page. A last row with next_after says where the next page begins; without it, there is none.';
