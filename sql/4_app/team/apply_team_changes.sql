-- The totals follow their own copy of the tree, app.team_totals.spread_uid, not app.users. They are therefore the exact sums of
-- the copied referrers and orders after every batch, whichever changes the batch contains and in whichever order they were
-- committed. A member who gets a referrer brings along all that the totals have below the member by then.
-- Precondition: the caller holds the advisory lock team_totals. The uids are distinct.
-- Idempotent: it adds the difference between the present values and the copied ones.
-- Generic query plan: see app.get_upline. Each table is read by index, because a query plan that was made for a small queue must
-- serve a long one.
create or replace function app.apply_team_changes(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
declare
  v_moved bigint;
  v_changes app.team_change[];
  v_tree record;
begin
  insert into app.team_totals (uid)
  select m.uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
  union
  select u.spread_uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid where u.spread_uid is not null
  on conflict do nothing;

  foreach v_moved in array array(
    select t.uid
    from unnest(p_uids) as m (uid) join app.team_totals as t on t.uid = m.uid join app.users as u on u.uid = m.uid
    where coalesce(t.spread_uid <> u.spread_uid, t.spread_uid is not null)
  ) loop
    perform app.detach_team(v_moved);
  end loop;

  with present as (
    select
      u.uid, u.spread_uid, t.spread_uid is null and u.spread_uid is not null as is_new, t.own_orders as orders_before,
      (
        select count(*) from app.orders as o
        where o.uid = u.uid and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
      )::integer as orders
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid join app.team_totals as t on t.uid = m.uid
  ),
  changed as (
    update app.team_totals as t set spread_uid = p.spread_uid, own_orders = p.orders
    from present as p
    where t.uid = p.uid and (p.is_new or p.orders <> p.orders_before)
    returning (
      t.uid, t.spread_uid, p.is_new::integer, t.own_orders - case when p.is_new then 0 else p.orders_before end,
      case when p.is_new then t.umbrella_members else 0 end, case when p.is_new then t.umbrella_orders else 0 end
    )::app.team_change as change
  )
  select array_agg(c.change) into v_changes from changed as c;

  with recursive tree as (
    select t.uid, t.spread_uid from unnest(v_changes) as c join app.team_totals as t on t.uid = c.uid
    union
    select r.uid, r.spread_uid from tree as b join app.team_totals as r on r.uid = b.spread_uid
  )
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers into v_tree from tree as t;

  update app.team_totals as t
  set direct_members = t.direct_members + s.direct_members, direct_orders = t.direct_orders + s.direct_orders,
      umbrella_members = t.umbrella_members + s.umbrella_members, umbrella_orders = t.umbrella_orders + s.umbrella_orders
  from app.add_up_team(v_tree.uids, v_tree.referrers, v_changes) as s
  where t.uid = s.uid;
end
$$;

comment on function app.apply_team_changes is
  'Brings the team totals up to date for members whose referrer or number of reported orders has changed: copies the present '
  'values and adds the differences to everyone above. The row of each ancestor is written once.';
