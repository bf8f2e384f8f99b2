-- Members below the top grade whose kept counters differ from a recount of the orders below them (R8, R9), and members
-- whose count of own orders does.
-- Callers: reconcile. Reads only.
create or replace function app.reconcile_counters()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = ''
as $$
  with counters as (
    select
      b.uid, u.agent_level < (select app.top_grade()) as is_kept, b.own_orders, coalesce(c.own_orders, 0) as own_recount,
      format('%s %s %s %s', b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members) as kept,
      format('%s %s %s %s', coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0),
        coalesce(c.umbrella_members, 0)) as recount
    from app.user_balances as b
    join app.users as u on u.uid = b.uid
    left join app.recount_counters() as c on c.uid = b.uid
  )
  select 'counters_equal_recount', format('uid %s', k.uid), k.recount, k.kept
  from counters as k where k.is_kept and k.kept <> k.recount
  union all
  select 'own_orders_equal_recount', format('uid %s', k.uid), k.own_recount::text, k.own_orders::text
  from counters as k where k.own_orders <> k.own_recount
$$;
