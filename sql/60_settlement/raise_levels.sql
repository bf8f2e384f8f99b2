-- Raises every member above a buyer who has met all tasks of the next grade, lowest first, grade by grade, and records
-- each step with the grade held before it (R5). Members at the top grade have no next grade; a grade without tasks is
-- reached by hand only. p_upline: the chain above the buyer, as upline_shares gives it.
-- Callers: book_settlement. Locks: the caller has locked the upline. Safe twice: nobody rises on the same counts twice.
-- With the generic plan, which is kept: see get_upline.
create or replace function app.raise_levels(p_uid bigint, p_upline app.upline_member[], p_order_id bigint, p_now timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  loop
    with rising as (
      select a.depth, a.uid, a.agent_level as from_level, n.grade as to_level
      from unnest(p_upline) as a
      join app.user_balances as b on b.uid = a.uid
      cross join lateral (select min(l.grade) as grade from app.agent_levels as l where l.is_active and l.grade > a.agent_level) as n
      where a.is_below_top
        and exists (select from app.agent_level_tasks as t where t.grade = n.grade)
        and not exists (
          select from app.agent_level_tasks as t
          where t.grade = n.grade and t.target > case t.type
            when 'direct_orders' then b.direct_orders
            when 'umbrella_orders' then b.umbrella_orders
            when 'direct_members' then b.direct_members
            when 'umbrella_members' then b.umbrella_members
          end
        )
    ),
    risen as (
      update app.users as u set agent_level = r.to_level from rising as r where u.uid = r.uid
      returning r.depth, u.uid, r.from_level, r.to_level
    )
    insert into app.level_changes (uid, from_level, to_level, reason, order_id, add_time)
    select r.uid, r.from_level, r.to_level, 'tasks', p_order_id, p_now from risen as r order by r.depth;
    exit when not found;
    p_upline := array(select app.upline_shares(p_uid));
  end loop;
end
$$;
