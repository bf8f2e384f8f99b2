-- Only the last cycle of a member is open, and places are freed only while their cycle is open. So every other cycle has all its
-- places taken, and the last one is open if and only if a place is left.
create or replace function app.reconcile_cycles(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with earners as materialized (
      select distinct s.earner_uid as uid from app.orders_since(p_since) as n (id) join app.settlements as s on s.order_id = n.id where p_since > '-infinity'
    ),
    members as materialized (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to and (p_since = '-infinity' or b.uid in (select e.uid from earners as e))
    ),
    places as materialized (
      select s.*, o.queue_base as base_left
      from app.taken_places as s
      left join app.orders as o on o.id = s.order_id
      where s.earner_uid between p_from and p_to and (p_since = '-infinity' or s.earner_uid in (select e.uid from earners as e))
    ),
    cycles as materialized (
      select
        p.earner_uid as uid, p.cycle_no, min(p.cycle_plan_version) as plan_version, max(p.cycle_plan_version) as greatest_version,
        count(*) filter (where p.place_freed_at is null) as taken, max(p.place) as greatest_place,
        count(distinct p.place) filter (where p.place_freed_at is null) as different,
        lead(p.cycle_no) over (partition by p.earner_uid order by p.cycle_no) as next_no
      from places as p
      group by p.earner_uid, p.cycle_no
    ),
    last_cycles as (
      select c.uid, c.cycle_no, c.plan_version, c.taken < v.people_per_cycle as is_open
      from cycles as c
      join app.commission_plans as v on v.version = c.plan_version
      where c.next_no is null
    ),
    reported as (
      -- Orders that made their buyer eligible (R4), and the position at which a refund left nothing of them.
      select o.uid, o.paid_at, max(case when o.refund_status = 2 or o.queue_units = 0 then r.ended_position end) as ended_position,
        bool_or(o.refund_status <> 2 and o.queue_units > 0) as stands
      from app.orders as o
      left join (
        select f.order_id, max(f.decided_position) as ended_position from app.refunds as f where f.state = 'refunded' group by f.order_id
      ) as r on r.order_id = o.id
      where o.uid in (select m.uid from members as m) and o.paid_at is not null and o.has_queue_goods and not o.below_minimum
      group by o.uid, o.paid_at
    )
    select
      'places_equal_settlements', format('uid %s', b.uid), coalesce(t.places, 0)::text, b.total_places::text
    from members as b
    left join (select c.uid, sum(c.taken) as places from cycles as c group by c.uid) as t on t.uid = b.uid
    where b.total_places <> coalesce(t.places, 0)
    union all
    select
      'cycle_equals_settlements', format('uid %s', b.uid),
      concat_ws(' ', coalesce(l.cycle_no, 0), 'plan', l.plan_version, case when l.is_open then 'open' else 'closed' end),
      concat_ws(' ', b.cycle_no, 'plan', b.cycle_plan_version, case when b.cycle_is_open then 'open' else 'closed' end)
    from members as b
    left join last_cycles as l on l.uid = b.uid
    where (b.cycle_no, b.cycle_plan_version, b.cycle_is_open)
      is distinct from (coalesce(l.cycle_no, 0), l.plan_version, coalesce(l.is_open, false))
    union all
    select
      'cycle_has_its_places', format('cycle %s of uid %s', c.cycle_no, c.uid),
      format('plan %s, places up to %s, next cycle %s', c.plan_version, v.people_per_cycle, c.cycle_no + 1),
      concat_ws(' ', 'plan', c.greatest_version, 'places up to', c.greatest_place, 'taken', c.taken, 'next cycle', c.next_no)
    from cycles as c
    join app.commission_plans as v on v.version = c.plan_version
    where c.plan_version <> c.greatest_version or c.greatest_place > v.people_per_cycle or c.different <> c.taken
      or (c.next_no is not null and (c.next_no <> c.cycle_no + 1 or c.taken <> v.people_per_cycle))
    union all
    select
      'freed_place_equals_refunds', format('order %s', p.order_id),
      format('%s left', p.base_left), coalesce(format('freed %s', app.utc(p.place_freed_at)), 'not freed')
    from places as p
    left join last_cycles as l on l.uid = p.earner_uid and l.cycle_no = p.cycle_no and l.is_open
    where (p.place_freed_at is null and p.base_left = 0 and l.uid is not null)
      or (p.place_freed_at is not null and (p.base_left > 0 or not exists (
        select from app.refunds as r
        where r.order_id = p.order_id and r.state = 'refunded' and r.decided_position = p.place_freed_position
          and r.decided_at = p.place_freed_at
      )))
    union all
    select
      'earner_had_a_reported_order', format('order %s', p.order_id),
      format('an order of uid %s paid by then', p.earner_uid), format('eligible since %s', app.utc(p.eligible_since))
    from places as p
    join app.orders as o on o.id = p.order_id
    left join reported as e on e.uid = p.earner_uid and e.paid_at = p.eligible_since
    where e.uid is null or p.eligible_since > o.paid_at or not (e.stands or e.ended_position > p.position);
end
$$;

comment on function app.reconcile_cycles is
  'Finds members whose cycle or count of taken places differs from their settlements, cycles with places that are wrong, places '
  'freed without a refund or the other way round, and earners who had no reported order of their own (R4). With p_since, only earners of orders that changed since then.';
