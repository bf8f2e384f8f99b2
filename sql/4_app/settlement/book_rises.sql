-- Precondition: the caller has inserted the settlements and locked the members' balances.
create or replace function app.book_rises(p_rises app.level_rise[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  update app.users as u set agent_level = r.to_level
  from (select x.uid, max(x.to_level) as to_level from unnest(p_rises) as x group by x.uid) as r
  where u.uid = r.uid;
  insert into app.level_changes (uid, from_level, to_level, reason, order_id, position, add_time)
  select r.uid, r.from_level, r.to_level, 'tasks', r.order_id, s.position, p_now
  from unnest(p_rises) with ordinality as r
  join app.settlements as s on s.order_id = r.order_id
  order by r.ordinality;
end
$$;

comment on function app.book_rises is
  'Writes the levels that members reached by orders: each step with the level before it (R5), at the position of the order''s '
  'settlement.';
