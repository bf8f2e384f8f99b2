-- Raises every member of a chain who has met all tasks of the next grade, lowest first, grade by grade, and records each
-- step with the grade held before it (R5). Members at the top grade have no next grade; a grade without tasks is
-- reached by hand only. p_upline: the chain above a buyer, as upline_shares gives it.
-- Callers: book_settlement. Locks: the caller has locked the upline. Safe twice: nobody rises on the same counts twice.
-- With the generic plan, which is kept: see get_upline.
create or replace function app.raise_levels(p_upline app.upline_member[], p_order_id bigint, p_now timestamptz)
returns void
language plpgsql
set search_path = ''
set plan_cache_mode = force_generic_plan
as $$
begin
  loop
    with steps as materialized (
      select
        l.grade as from_level, n.grade as to_level,
        coalesce(max(t.target) filter (where t.type = 'direct_orders'), 0) as direct_orders,
        coalesce(max(t.target) filter (where t.type = 'umbrella_orders'), 0) as umbrella_orders,
        coalesce(max(t.target) filter (where t.type = 'direct_members'), 0) as direct_members,
        coalesce(max(t.target) filter (where t.type = 'umbrella_members'), 0) as umbrella_members
      from app.agent_levels as l
      cross join lateral (select min(h.grade) as grade from app.agent_levels as h where h.is_active and h.grade > l.grade) as n
      join app.agent_level_tasks as t on t.grade = n.grade
      group by l.grade, n.grade
    ),
    rising as (
      select a.depth, a.uid, s.from_level, s.to_level
      from unnest(p_upline) as a
      join app.user_balances as b on b.uid = a.uid
      join app.users as u on u.uid = a.uid
      join steps as s on s.from_level = u.agent_level
      where b.direct_orders >= s.direct_orders and b.umbrella_orders >= s.umbrella_orders
        and b.direct_members >= s.direct_members and b.umbrella_members >= s.umbrella_members
    ),
    risen as (
      update app.users as u set agent_level = r.to_level from rising as r where u.uid = r.uid
      returning r.depth, u.uid, r.from_level, r.to_level
    )
    insert into app.level_changes (uid, from_level, to_level, reason, order_id, add_time)
    select r.uid, r.from_level, r.to_level, 'tasks', p_order_id, p_now from risen as r order by r.depth;
    exit when not found;
  end loop;
end
$$;
