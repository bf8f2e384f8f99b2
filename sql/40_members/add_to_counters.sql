-- Adds to the counters of a member's whole upline below the top grade: the member's own orders (direct for the
-- referrer, umbrella for all) and what stands below the member (umbrella for all). Amounts may be negative.
-- Callers: count_order, uncount_order, set_no_assess, bind_spread. Locks: none of its own; the caller holds the
-- structure lock and has locked the upline's rows.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.add_to_counters(
  p_uid bigint,
  p_orders integer,
  p_members integer,
  p_orders_below integer default 0,
  p_members_below integer default 0
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  update app.user_balances as b
  set direct_orders = b.direct_orders + case when a.depth = 1 then p_orders else 0 end,
      direct_members = b.direct_members + case when a.depth = 1 then p_members else 0 end,
      umbrella_orders = b.umbrella_orders + p_orders + p_orders_below,
      umbrella_members = b.umbrella_members + p_members + p_members_below
  from app.get_upline(p_uid) as a
  where b.uid = a.uid and a.agent_level < (select app.top_grade());
end
$$;
