-- Team totals, summed from a queue of changes.

-- Reads the members from the roots down to the first who is not at the top, and the unsettled orders of plans with
-- scope umbrella. The property test test/property/closed_branches.test.ts proves the conditions by the model. They
-- suffice; they are not necessary. can_move: an administrator can correct the referrer of the member, or of somebody
-- above (app.check_new_spread).
create or replace function app.closed_branches(p_members integer default 1)
returns table (uid bigint, agent_level smallint, above integer, members integer, orders integer, opened_by text[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
  v_levels constant app.level_rule[] := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  v_is_umbrella constant boolean := (
    select p.brokerage_scope = 'umbrella' from app.commission_plans as p order by p.version desc limit 1
  );
begin
  return query
    with recursive heads as (
      select u.uid, u.agent_level, u.left_at is not null as has_left, 0 as above, 0::numeric as points_above,
        0::smallint as grade_above, false as can_move
      from app.users as u where u.spread_uid is null
      union all
      -- Who has left counts as a level without any points, and does not earn.
      select
        u.uid, u.agent_level, u.left_at is not null, h.above + 1,
        case
          when h.has_left then h.points_above
          else greatest(h.points_above, v_levels[h.agent_level + 1].umbrella_points)
        end,
        case when h.has_left then h.grade_above else greatest(h.grade_above, h.agent_level) end,
        case when h.can_move then true else u.left_at is null and app.decided_order_below(u.uid) is null end
      from heads as h join app.users as u on u.spread_uid = h.uid
      -- Below a member with task counts, every order counts for that member.
      where not v_levels[h.agent_level + 1].keeps_counts
    ),
    -- An order that waits for its settlement looks for an earner by the plan in force when it was paid.
    waiting as (
      select u.spread_uid as uid, o.paid_at
      from app.orders as o
      join app.commission_plans as p on p.version = o.plan_version and p.brokerage_scope = 'umbrella'
      join app.users as u on u.uid = o.uid
      where o.paid_at is not null and o.has_queue_goods
        and not exists (select from app.settlements as s where s.order_id = o.id)
      union
      select u.spread_uid, w.paid_at from waiting as w join app.users as u on u.uid = w.uid
    ),
    facts as (
      select
        h.*, coalesce(t.umbrella_members, 0) as members, coalesce(t.umbrella_orders, 0) as orders,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = h.uid and not h.has_left
            and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        ) as eligible_since,
        (select min(w.paid_at) from waiting as w where w.uid = h.uid) as waiting_since
      from heads as h left join app.team_totals as t on t.uid = h.uid
      where case when h.has_left then 0 else v_levels[h.agent_level + 1].umbrella_points end >= h.points_above
        and coalesce(t.umbrella_members, 0) >= p_members
    )
    select
      f.uid, f.agent_level, f.above, f.members, f.orders, array_remove(array[
        'referrer_of_root',
        case when f.can_move then 'corrected_referrer' end,
        case when f.above > 0 then 'new_top_grade' end,
        case when f.above > 0 then 'lowered_above' end,
        case when f.points_above > 0 then 'lowered' end,
        case when f.grade_above > f.agent_level then 'points_of_grades' end,
        case when f.above > 0 and f.eligible_since is null then 'scope_umbrella' end,
        case
          when f.above > 0 and f.eligible_since is not null
            and (v_is_umbrella or f.waiting_since is not null) then 'own_refund'
        end,
        case
          when f.above > 0
            and coalesce(
              (select min(w.paid_at) from waiting as w) < f.eligible_since, exists (select from waiting)
            ) then 'joining_orders'
        end,
        case when f.above > 0 and not f.has_left and (
          f.points_above > 0 or f.eligible_since is not null and (v_is_umbrella or f.waiting_since is not null)
        ) then 'leaving' end
      ], null)
    from facts as f
    where f.above = 0 or (
      (f.eligible_since is not null or not v_is_umbrella)
        and coalesce(f.waiting_since >= f.eligible_since, f.waiting_since is null)
    )
    order by f.members desc, f.uid;
end
$$;

comment on function app.closed_branches is
  'Returns the members below whom a branch is closed: no new order of a member below them pays or counts for anybody '
  'above them; their own orders do. above: how many members are above. members and orders: their team totals, at least '
  'p_members. opened_by: what alone would open the branch again (decision 0063).';

-- The only trace that a sign-up, a payment or a refund leaves for the team totals: a row of its own. No row of an
-- ancestor is read, locked or written. A settlement changes neither column and fires no trigger.
create or replace function app.queue_team_change()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.team_changes (uid) values (new.uid);
  return null;
end
$$;

comment on function app.queue_team_change is
  'Trigger: queues a member whose referrer or number of reported orders has changed, for the team totals.';

create trigger new_referrals_are_queued after insert on app.users
  for each row when (new.spread_uid is not null) execute function app.queue_team_change();
create trigger changed_referrals_are_queued after update of spread_uid on app.users
  for each row when (old.spread_uid is distinct from new.spread_uid) execute function app.queue_team_change();
create trigger new_reported_orders_are_queued after insert on app.orders
  for each row when (app.is_reported(new.paid_at, new.queue_units, new.refund_status, new.below_minimum))
  execute function app.queue_team_change();
create trigger changed_reported_orders_are_queued after update of paid_at, queue_units, refund_status,
  below_minimum on app.orders
  for each row when (
    app.is_reported(old.paid_at, old.queue_units, old.refund_status, old.below_minimum)
    <> app.is_reported(new.paid_at, new.queue_units, new.refund_status, new.below_minimum)
  )
  execute function app.queue_team_change();

-- Each member passes their sum on when the last one below has done so. The number of steps is the number of members,
-- however deep the tree is; a recursive query would visit an ancestor once for every member below.
create or replace function app.add_up_tree(
  p_referrers integer[], p_members integer[], p_orders integer[], out members integer[], out orders integer[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_open integer[];
  v_index integer;
  v_referrer integer;
begin
  v_open := array_fill(0, array[coalesce(cardinality(p_referrers), 0)]);
  members := v_open;
  orders := v_open;
  foreach v_referrer in array coalesce(p_referrers, '{}') loop
    if v_referrer is not null then
      v_open[v_referrer] := v_open[v_referrer] + 1;
    end if;
  end loop;
  for v_start in 1..cardinality(v_open) loop
    v_index := v_start;
    while v_open[v_index] = 0 loop
      v_open[v_index] := -1;
      v_referrer := p_referrers[v_index];
      exit when v_referrer is null;
      members[v_referrer] := members[v_referrer] + members[v_index] + p_members[v_index];
      orders[v_referrer] := orders[v_referrer] + orders[v_index] + p_orders[v_index];
      v_open[v_referrer] := v_open[v_referrer] - 1;
      v_index := v_referrer;
    end loop;
  end loop;
end
$$;

comment on function app.add_up_tree is
  'Returns, for each member of a tree, the sums of p_members and p_orders over all members below. p_referrers holds '
  'the index of each member''s referrer, or null.';

-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are. `rows` is
-- low, so that the planner looks up each row of the result by key, even if app.team_totals was small when the query
-- plan was made.
create or replace function app.add_up_team(p_uids bigint[], p_referrers bigint[], p_changes app.team_change[])
returns table (
  uid bigint, direct_members integer, direct_orders integer, umbrella_members integer, umbrella_orders integer
)
language plpgsql
immutable
rows 10
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
declare
  v_tree record;
  v_sums record;
begin
  with members as (
    select m.uid, m.referrer, m.number::integer
    from unnest(p_uids, p_referrers) with ordinality as m (uid, referrer, number)
  )
  select
    array_agg(r.number order by m.number) as referrers,
    array_agg(coalesce(c.members + c.members_below, 0) order by m.number) as members,
    array_agg(coalesce(c.orders + c.orders_below, 0) order by m.number) as orders
  into v_tree
  from members as m left join members as r on r.uid = m.referrer left join unnest(p_changes) as c on c.uid = m.uid;

  v_sums := app.add_up_tree(v_tree.referrers, v_tree.members, v_tree.orders);
  return query
    select m.uid, coalesce(d.members, 0), coalesce(d.orders, 0), m.members, m.orders
    from unnest(p_uids, v_sums.members, v_sums.orders) as m (uid, members, orders)
    left join (
      select c.spread_uid, sum(c.members)::integer as members, sum(c.orders)::integer as orders
      from unnest(p_changes) as c
      group by c.spread_uid
    ) as d on d.spread_uid = m.uid
    where m.members <> 0 or m.orders <> 0 or d.spread_uid is not null;
end
$$;

comment on function app.add_up_team is
  'Returns what changes add to the team totals of a tree, without members to whom nothing is added. p_uids are the '
  'changed members and everyone above, p_referrers their referrers.';

-- Sign-ups and payments go on meanwhile; their changes wait in the queue. Readers see the old totals until the commit.
-- Members and orders are read by one statement, and written once: with a million members, app.apply_team_changes would
-- take minutes.
-- Locks: the advisory lock team_totals.
-- Idempotent: the result depends on members and orders only.
-- Row order: pairs, and a set: two aggregates of one query read its rows in one sequence.
create or replace function app.rebuild_team_totals()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- Nested loops over arrays would take quadratic time (see app.add_up_team).
set enable_nestloop = off
set jit = off
as $$
declare
  v_store record;
begin
  perform pg_advisory_xact_lock(app.lock_number('team_totals'));
  delete from app.team_totals where true;
  select
    array_agg(u.uid) as uids, array_agg(u.spread_uid) as referrers,
    array_agg((u.uid, u.spread_uid, 1, coalesce(r.orders, 0), 0, 0)::app.team_change) as members
  into v_store
  from app.users as u
  left join (
    select o.uid, count(*)::integer as orders
    from app.orders as o where app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
    group by o.uid
  ) as r on r.uid = u.uid;
  insert into app.team_totals (
    uid, spread_uid, own_orders, direct_members, direct_orders, umbrella_members, umbrella_orders
  )
  select
    m.uid, m.spread_uid, m.orders,
    coalesce(s.direct_members, 0), coalesce(s.direct_orders, 0), coalesce(s.umbrella_members, 0),
    coalesce(s.umbrella_orders, 0)
  from unnest(v_store.members) as m
  left join app.add_up_team(v_store.uids, v_store.referrers, v_store.members) as s on s.uid = m.uid;
end
$$;

comment on function app.rebuild_team_totals is
  'Sums the team totals of all members anew, after a finding of app.reconcile_team_totals or a migration that changes '
  'what is counted.';

-- Members get a referrer once, so this happens only after a correction by hand.
-- Precondition: the caller holds the advisory lock team_totals.
create or replace function app.detach_team(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member app.team_totals := (select t from app.team_totals as t where t.uid = p_uid);
begin
  with recursive upline as (
    select v_member.spread_uid as uid
    union
    select t.spread_uid from upline as b join app.team_totals as t on t.uid = b.uid where t.spread_uid is not null
  )
  update app.team_totals as t
  set umbrella_members = t.umbrella_members - v_member.umbrella_members - 1,
      umbrella_orders = t.umbrella_orders - v_member.umbrella_orders - v_member.own_orders,
      direct_members = t.direct_members - (t.uid = v_member.spread_uid)::integer,
      direct_orders = t.direct_orders - case when t.uid = v_member.spread_uid then v_member.own_orders else 0 end
  from upline as a
  where t.uid = a.uid;
  update app.team_totals set spread_uid = null where uid = p_uid;
end
$$;

comment on function app.detach_team is
  'Takes a member and everyone below out of the team totals of all members above.';

-- The totals follow their own copy of the tree, app.team_totals.spread_uid, not app.users. They are therefore the exact
-- sums of the copied referrers and orders after every batch, whichever changes the batch contains and in whichever
-- order they were committed. A member who gets a referrer brings along all that the totals have below the member by
-- then.
-- Precondition: the caller holds the advisory lock team_totals. The uids are distinct.
-- Idempotent: it adds the difference between the present values and the copied ones.
-- Generic query plan: see app.get_upline. Each table is read by index, because a query plan that was made for a small
-- queue must serve a long one.
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
    order by t.uid
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
  -- Row order: a set.
  select array_agg(c.change) into v_changes from changed as c;

  with recursive tree as (
    select t.uid, t.spread_uid from unnest(v_changes) as c join app.team_totals as t on t.uid = c.uid
    union
    select r.uid, r.spread_uid from tree as b join app.team_totals as r on r.uid = b.spread_uid
  )
  -- Row order: pairs: two aggregates of one query read its rows in one sequence.
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers into v_tree from tree as t;

  update app.team_totals as t
  set direct_members = t.direct_members + s.direct_members, direct_orders = t.direct_orders + s.direct_orders,
      umbrella_members = t.umbrella_members + s.umbrella_members,
      umbrella_orders = t.umbrella_orders + s.umbrella_orders
  from app.add_up_team(v_tree.uids, v_tree.referrers, v_changes) as s
  where t.uid = s.uid;
end
$$;

comment on function app.apply_team_changes is
  'Brings the team totals up to date for members whose referrer or number of reported orders has changed, and for '
  'everyone above.';

-- Locks: the advisory lock team_totals, which it does not wait for. No other lock that another transaction can wait
-- for.
-- Idempotent: taken rows are gone with the commit that adds them.
create or replace function app.sum_team_changes(p_limit integer default 1000)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_as_of timestamptz;
  v_uids bigint[];
  v_taken integer;
begin
  if not pg_try_advisory_xact_lock(app.lock_number('team_totals')) then
    return false;
  end if;
  -- Before the statement that takes the rows: it sees whatever was committed until then.
  v_as_of := clock_timestamp();
  with taken as (
    delete from app.team_changes as c
    -- Row order: which of the changes; the next call takes the others.
    where c.ctid = any (array(select q.ctid from app.team_changes as q limit p_limit))
    returning c.uid
  )
  select array_agg(distinct t.uid), count(*) into v_uids, v_taken from taken as t;
  if v_taken > 0 then
    perform app.apply_team_changes(v_uids);
  end if;
  if v_taken < p_limit then
    update app.team_totals_as_of as t set as_of = v_as_of where t.id;
  end if;
  return v_taken = p_limit;
end
$$;

comment on function app.sum_team_changes is
  'Adds up to p_limit rows of the queue of team changes to the team totals, and returns whether more may be left. Does '
  'nothing while another transaction is summing. Dates the totals when the queue is empty.';

-- Idempotent, also when it runs concurrently: a second run ends at once, and a run that is killed loses only its last
-- batch, whose rows are in the queue again.
create or replace procedure app.sum_team_totals()
language plpgsql
as $$
declare
  v_run record := app.begin_run('sum_team_totals', 1000);
begin
  commit;
  while app.sum_team_changes(v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.sum_team_totals is
  'Adds all queued changes to the team totals, in batches with a commit each.';
