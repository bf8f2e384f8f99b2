-- Raises every member above a buyer who has met all tasks of the next grade, lowest first, grade by grade, and records
-- each step with the grade held before it (R5). Members at the top grade have no next grade; a grade without tasks is
-- reached by hand only.
-- Callers: settle_locked_order. Locks: the caller has locked the upline. Safe twice: nobody rises on the same counts twice.
create or replace function app.raise_levels(p_uid bigint, p_order_id bigint, p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  loop
    with steps as materialized (
      select l.grade as from_level, (select min(n.grade) from app.agent_levels as n where n.is_active and n.grade > l.grade) as to_level
      from app.agent_levels as l
    ),
    rising as (
      select a.depth, a.uid, s.from_level, s.to_level
      from app.get_upline(p_uid) as a
      join steps as s on s.from_level = a.agent_level and s.to_level is not null
      join app.user_balances as b on b.uid = a.uid
      where exists (select from app.agent_level_tasks as t where t.grade = s.to_level)
        and not exists (
          select from app.agent_level_tasks as t
          where t.grade = s.to_level and t.target > case t.type
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
  end loop;
end
$$;
