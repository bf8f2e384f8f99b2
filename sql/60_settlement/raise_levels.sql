-- Raises every member above a buyer who has met all tasks of the next grade, lowest first, grade by grade, and records
-- each step with the grade held before it (R5). Members at the top grade have no next grade.
-- Callers: settle_locked_order. Locks: the caller has locked the upline. Safe twice: nobody rises on the same counts twice.
create or replace function app.raise_levels(p_uid bigint, p_order_id bigint, p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  loop
    with risen as (
      update app.users as u
      set agent_level = n.grade
      from app.get_upline(p_uid) as a
      join app.users as held on held.uid = a.uid
      join app.user_balances as b on b.uid = a.uid
      cross join lateral (
        select min(l.grade) as grade from app.agent_levels as l where l.is_active and l.grade > held.agent_level
      ) as n
      where u.uid = a.uid and app.tasks_are_met(n.grade, b)
      returning a.depth, u.uid, held.agent_level as from_level, n.grade as to_level
    )
    insert into app.level_changes (uid, from_level, to_level, reason, order_id, add_time)
    select r.uid, r.from_level, r.to_level, 'tasks', p_order_id, p_now from risen as r order by r.depth;
    exit when not found;
  end loop;
end
$$;
