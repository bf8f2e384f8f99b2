-- Decides the settlements of a bundle again, in a database that has the types and functions of this checkout and the
-- rows of the bundle (load.sql).

create unique index members_uid_idx on bundle.members (uid);
create unique index orders_id_idx on bundle.orders (id);

create type bundle.version as (version integer, created_at timestamptz, replaced_at timestamptz);

-- The plans by version, as the engine takes them.
create function bundle.plan_list() returns app.commission_plans[] language plpgsql stable as $$
declare
  v_plan record;
  v_plans app.commission_plans[];
begin
  for v_plan in select p.version, p.plan from bundle.plans as p loop
    v_plans[v_plan.version] := v_plan.plan;
  end loop;
  return v_plans;
end
$$;

-- The version in force at an instant. If versions were made at that very instant, the time does not decide, and what
-- was booked is taken.
create function bundle.version_at(
  p_at timestamptz, p_booked integer, p_versions bundle.version[]
) returns integer language sql immutable as $$
  select coalesce(
    max(v.version) filter (
      where v.version = p_booked and v.created_at <= p_at and coalesce(v.replaced_at >= p_at, true)
    ),
    max(v.version) filter (where v.created_at <= p_at), min(v.version)
  )
  from unnest(p_versions) as v
$$;

create function bundle.plan_at(p_at timestamptz, p_booked integer) returns integer language sql stable as $$
  select bundle.version_at(p_at, p_booked, array(
    select (p.version, p.created_at, lead(p.created_at) over (order by p.version))::bundle.version
    from bundle.plans as p
  ))
$$;

create function bundle.level_version_at(p_at timestamptz, p_booked integer) returns integer language sql stable as $$
  select bundle.version_at(p_at, p_booked, array(
    select (v.version, v.created_at, lead(v.created_at) over (order by v.version))::bundle.version
    from bundle.levels as v
  ))
$$;

-- What refunds up to a position named of the lines of an order. Bundles from before concessions were possible have
-- none.
create function bundle.refunded_until(p_order bundle.orders, p_position bigint)
returns table (line_id bigint, decided_position bigint, quantity integer, concession numeric) language sql stable as $$
  select i.line_id, r.decided_position, i.quantity, coalesce(i.concession, 0)
  from jsonb_to_recordset(p_order.refunds) as r (is_refunded boolean, decided_position bigint, lines jsonb)
  cross join lateral jsonb_to_recordset(r.lines) as i (line_id bigint, quantity integer, concession numeric)
  where r.is_refunded and r.decided_position <= p_position
$$;

-- Which version of the levels let a change raise that is no settlement. It has a position.
create function bundle.level_version_before(p_position bigint) returns integer language sql stable as $$
  select coalesce(max(v.version) filter (where v.position < p_position), min(v.version)) from bundle.levels as v
$$;

-- Whether changes that are no settlements raise at a position: since the second version of the rules.
create function bundle.raises(p_position bigint) returns boolean language sql stable as $$
  select exists (select from bundle.rules as v where v.version = 2 and v.position <= p_position)
$$;

-- An order after everything up to a position.
create function bundle.order_at(p_order bundle.orders, p_position bigint) returns app.orders language sql stable as $$
  with lines as (
    select
      l.paid, l.quantity, l.is_queue_goods,
      coalesce(
        (select sum(u.quantity) from bundle.refunded_until(p_order, p_position) as u where u.line_id = l.id), 0
      )::integer as refunded,
      (
        select array_agg((u.concession, l.quantity - coalesce((
          select sum(b.quantity) from bundle.refunded_until(p_order, u.decided_position - 1) as b where b.line_id = l.id
        ), 0))::app.concession)
        from bundle.refunded_until(p_order, p_position) as u
        where u.line_id = l.id and u.concession > 0
      ) as concessions
    from jsonb_to_recordset(p_order.lines) as l (id bigint, paid numeric, quantity integer, is_queue_goods boolean)
  ),
  totals as (
    select
      sum(app.line_left(l.paid, l.quantity, l.refunded, l.concessions)) filter (where l.is_queue_goods) as base,
      sum(l.quantity - l.refunded) filter (where l.is_queue_goods) as units,
      sum(l.paid) filter (where l.is_queue_goods) as paid,
      sum(l.quantity - l.refunded) as all_units, sum(l.refunded) as refunded
    from lines as l
  )
  select jsonb_populate_record(null::app.orders, jsonb_build_object(
    'id', p_order.id, 'uid', p_order.uid, 'referrer_uid', p_order.referrer_uid, 'paid_at', p_order.paid_at, 'is_imported', p_order.is_imported,
    'plan_version', p.version, 'queue_base', t.base, 'queue_units', t.units, 'below_minimum', app.is_below_minimum(t.paid, p.minimum_base),
    'refund_status', case
      when t.all_units = 0 then 2
      when exists (
        select from jsonb_to_recordset(p_order.refunds) as r (position bigint, decided_position bigint)
        where r.position <= p_position and (r.decided_position is null or r.decided_position > p_position)
      ) then 1
      when t.refunded > 0 then 3
      else 0
    end
  ))
  from totals as t
  join bundle.plans as p on p.version = coalesce(
    p_order.imported_plan, bundle.plan_at(p_order.paid_at, p_order.plan_version)
  )
$$;

-- What was settled together. Before batches were stored, each order was alone.
create function bundle.batch_of(p_settlement bundle.settlements) returns text language sql stable as $$
  select concat_ws(
    ' ', p_settlement.settled_at, coalesce('batch ' || p_settlement.batch, 'order ' || p_settlement.order_id)
  )
$$;

-- In the sequence of payments within each batch, whatever the positions of its settlements are.
create table bundle.settled as
select n.order_id, p.position, n.settled_at, n.is_imported,
  bundle.plan_at(n.settled_at, n.plan_in_force) as plan_in_force,
  bundle.level_version_at(n.settled_at, n.level_version) as level_version,
  bundle.order_at(o, p.position) as state
from (
  select
    s.order_id, s.settled_at, s.state = 'imported' as is_imported, s.plan_in_force, s.level_version,
    bundle.batch_of(s) as batch,
    row_number() over (partition by bundle.batch_of(s) order by q.paid_at, q.id) as number
  from bundle.settlements as s join bundle.orders as q on q.id = s.order_id
) as n
join (
  select
    bundle.batch_of(s) as batch, s.position,
    row_number() over (partition by bundle.batch_of(s) order by s.position) as number
  from bundle.settlements as s
  where s.order_id in (select q.id from bundle.orders as q)
) as p on p.batch = n.batch and p.number = n.number
join bundle.orders as o on o.id = n.order_id;

-- Each step of each refund in the month, with the order before and after it.
create table bundle.refund_steps as
select o.id as order_id, o.uid, x.position, o.settled_position < x.position as is_settled,
  bundle.order_at(o, x.position - 1) as before, bundle.order_at(o, x.position) as after
from bundle.orders as o
cross join lateral (
  select r.position from jsonb_to_recordset(o.refunds) as r (position bigint)
  union
  select r.decided_position from jsonb_to_recordset(o.refunds) as r (decided_position bigint)
  where r.decided_position is not null
) as x
where x.position >= (select b.first_position from bundle.bounds as b);

-- From when until when an order makes its buyer eligible (R4).
create table bundle.reported as
select
  o.uid, o.paid_at, case when o.is_imported then coalesce(o.settled_position, 0) else 0 end as begins,
  (
    select min(r.position) from bundle.refund_steps as r
    where r.order_id = o.id and (r.after).queue_units = 0 and (r.before).queue_units > 0
  ) as ends
from bundle.orders as o
cross join lateral bundle.order_at(o, (select b.first_position from bundle.bounds as b) - 1) as s
where s.queue_units > 0 and not s.below_minimum;
create index reported_uid_idx on bundle.reported (uid);

create function bundle.reported_at(p_uid bigint, p_position bigint) returns timestamptz language sql stable as $$
  select min(r.paid_at) from bundle.reported as r
  where r.uid = p_uid and r.begins <= p_position and (r.ends is null or r.ends > p_position)
$$;

-- Everything that happened, in the form that the engine takes.
create table bundle.steps as
with members as materialized (
  select array_agg(
    jsonb_populate_record(null::app.tree_member, jsonb_build_object('uid', m.uid)) order by m.index
  ) as list
  from bundle.members as m
),
facts as (
  select f.order_id, f.is_counted, f as fact
  from (
    select array_agg(s.state order by s.position) as orders, s.plan_in_force from bundle.settled as s
    group by s.plan_in_force
  ) as g
  cross join members as m
  cross join lateral unnest(app.order_facts(g.orders, m.list, g.plan_in_force)) as f
)
select
  s.position, s.level_version, case when not s.is_imported then f.fact end as fact,
  case when s.is_imported then app.new_tree_change('count', m.index, s.order_id, p_step => f.is_counted::integer)
    else (app.settlement_changes(array[f.fact], p.list))[1] end as change
from bundle.settled as s
join facts as f on f.order_id = s.order_id
join bundle.members as m on m.uid = (s.state).uid
cross join (select bundle.plan_list() as list offset 0) as p
union all
select r.position, case when x.raises and r.is_settled and c.step > 0 then bundle.level_version_before(r.position) end,
  case
    when r.is_settled and (r.after).queue_base = 0
      and (r.before).queue_base > 0 then app.new_facts('free', m.index, r.order_id)
  end,
  case
    when r.is_settled
      and c.step <> 0 then app.new_tree_change('count', m.index, r.order_id, p_step => c.step, p_raises => x.raises)
  end
from bundle.refund_steps as r
join bundle.members as m on m.uid = r.uid
cross join lateral (
  select app.is_counted((r.after).queue_units, (r.after).refund_status, (r.after).below_minimum)::integer
    - app.is_counted((r.before).queue_units, (r.before).refund_status, (r.before).below_minimum)::integer as step
) as c
cross join lateral (select bundle.raises(r.position) as raises) as x
union all
select p.position, null, app.new_facts('report', m.index, p_paid_at => bundle.reported_at(p.uid, p.position)), null
from (
  select r.uid, r.ends as position from bundle.reported as r where r.ends is not null
  union
  select r.uid, r.begins from bundle.reported as r where r.begins >= (select b.first_position from bundle.bounds as b)
) as p
join bundle.members as m on m.uid = p.uid
union all
select c.position, case when x.raises then bundle.level_version_before(c.position) end, null, case c.kind
  when 'assess' then app.new_tree_change('assess', m.index, p_is_set => c.is_set, p_raises => x.raises)
  when 'grade' then app.new_tree_change(
    'grade', m.index, p_is_set => c.is_set, p_to_level => c.to_level, p_raises => x.raises
  )
  when 'refer' then app.new_tree_change(
    'refer', m.index, p_referrer => (select r.index from bundle.members as r where r.uid = c.referrer_uid), p_raises => x.raises
  )
  when 'import' then app.new_tree_change('import', m.index, p_raises => x.raises)
  when 'leave' then app.new_tree_change('leave', m.index)
end
from bundle.changes as c
-- The end of an import evaluates every member.
join bundle.members as m on m.uid = c.uid or c.kind = 'import'
cross join lateral (
  select bundle.raises(c.position) and case c.kind
    when 'assess' then not c.is_set
    -- A hold has ended, and the level was not lowered with it.
    when 'grade' then c.was_set and not c.is_set and c.to_level >= c.from_level
    else true
  end as raises
) as x
where c.kind <> 'rise';

create table bundle.decided (settlement app.settlements);
create table bundle.rises (rise app.level_rise, position bigint);
create table bundle.entries (entry app.bill_entry);

-- A chunk has one version of the levels, and begins where a member gets a referrer or leaves, so that one tree applies
-- to all of its orders.
do $$
declare
  v_members app.tree_member[];
  v_cycles app.cycle_state[];
  v_plans app.commission_plans[] := bundle.plan_list();
  v_chunk record;
  v_points record;
  v_money record;
begin
  select
    array_agg((
      m.uid, r.index, m.agent_level, m.is_held, m.no_assess, m.own_orders, m.direct_orders, m.umbrella_orders,
      m.direct_members, m.umbrella_members, false, coalesce(m.has_left, false)
    )::app.tree_member order by m.index),
    array_agg((
      m.uid, bundle.reported_at(m.uid, b.first_position - 1), m.cycle_no, m.plan_version, m.is_open, m.taken, m.orders,
      0
    )::app.cycle_state order by m.index)
  into v_members, v_cycles
  from bundle.members as m cross join bundle.bounds as b left join bundle.members as r on r.uid = m.referrer_uid;
  for v_chunk in
    with filled as (
      select s.*, max(s.level_version) over (partition by s.piece) as levels
      from (
        select t.*, row_number() over sequence as ordinal, count(t.level_version) over sequence as piece
        from bundle.steps as t
        window sequence as (order by t.position, (t.fact).kind = 'report', (t.fact).order_id)
      ) as s
    ),
    numbered as (
      select c.*, count(*) filter (where c.begins) over (order by c.ordinal) as chunk
      from (
        select f.*, lag(f.levels) over (order by f.ordinal) is distinct from f.levels or f.ordinal % 2000 = 0
          or (f.change).kind in ('refer', 'leave')
          and coalesce(lag((f.change).kind) over (order by f.ordinal) not in ('refer', 'leave'), true) as begins
        from filled as f
      ) as c
    )
    select
      coalesce(array_agg(n.fact order by n.ordinal) filter (where (n.fact).kind is not null), '{}') as facts,
      coalesce(array_agg(n.change order by n.ordinal) filter (where (n.change).kind is not null), '{}') as changes,
      array_agg(n.position order by n.ordinal) filter (where (n.change).kind is not null) as positions,
      app.level_rules(
        (select v.levels from bundle.levels as v where v.version = coalesce(max(n.levels), 1)), true
      ) as rules
    from numbered as n group by n.chunk order by n.chunk
  loop
    v_points := app.decide_levels(v_chunk.changes, v_members, v_chunk.rules);
    v_money := app.decide_cycles(v_chunk.facts, v_points.members, v_cycles, v_plans);
    insert into bundle.decided select s from unnest(v_money.settlements) as s;
    insert into bundle.rises select r, v_chunk.positions[r.ordinal] from unnest(v_points.rises) as r;
    insert into bundle.entries select e
    from unnest(app.settlement_entries(v_money.settlements, v_points.grants, v_plans)) as e;
    v_members := v_points.members;
    v_cycles := v_money.cycles;
  end loop;
end
$$;
