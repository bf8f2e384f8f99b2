-- What was booked and is not what was decided again: [{subject, decided, booked}]. Only the month's own rows are in the
-- bundle. Both sides are JSON, so that a text of the bundle can't look like several values.

with month as (select b.* from bundle.bounds as b),
own as materialized (
  select s.* from bundle.settlements as s, month as m
  where s.state <> 'imported' and s.settled_at >= m.begins_at and s.settled_at < m.ends_at
),
decided as materialized (
  select (d.settlement).*, p.position as decided_position, p.level_version as decided_level_version
  from bundle.decided as d join bundle.settled as p on p.order_id = (d.settlement).order_id
),
settlements as (
  select
    s.order_id,
    case when d.order_id is not null then json_strip_nulls(json_build_object(
      'state', d.state, 'buyer', d.uid, 'referrer', d.referrer_uid, 'earner', d.earner_uid, 'reason', d.reason, 'cycle', d.cycle_no,
      'place', d.place, 'ratio', d.ratio, 'rate', d.rate, 'base', d.base, 'units', d.units, 'commission', d.commission,
      'points', d.commission_points, 'plans', array[d.order_plan_version, d.plan_in_force, d.cycle_plan_version], 'levels', d.decided_level_version,
      'eligible_since', d.eligible_since, 'position', d.decided_position
    ))::text end as decided,
    json_strip_nulls(json_build_object(
      'state', s.state, 'buyer', s.uid, 'referrer', s.referrer_uid, 'earner', s.earner_uid, 'reason', s.reason, 'cycle', s.cycle_no,
      'place', s.place, 'ratio', s.ratio, 'rate', s.rate, 'base', s.base, 'units', s.units, 'commission', s.commission,
      'points', s.commission_points, 'plans', array[s.order_plan_version, s.plan_in_force, s.cycle_plan_version], 'levels', s.level_version,
      'eligible_since', s.eligible_since, 'position', s.position
    ))::text as booked
  from own as s left join decided as d on d.order_id = s.order_id
),
entries as (
  select e.*, row_number() over (partition by e.order_id, e.uid, e.type, e.source) as ordinal
  from (select (x.entry).* from bundle.entries as x) as e
  where e.order_id in (select s.order_id from own as s)
),
booked as (
  select b.*, row_number() over (partition by b.order_id, b.uid, b.type, b.source order by b.id) as ordinal
  from bundle.bill as b where b.type in ('brokerage', 'frozen_points_brokerage')
),
grants as (
  select
    coalesce(e.order_id, b.order_id) as order_id, coalesce(e.uid, b.uid) as uid, coalesce(e.source, b.source) as source,
    case when e.uid is not null then json_strip_nulls(json_build_object(
      'type', e.type, 'money', e.brokerage_delta, 'frozen', e.frozen_delta, 'available', e.available_delta, 'basis', trim_scale(e.basis),
      'rate', trim_scale(e.rate), 'level', e.agent_level, 'passed_on', trim_scale(e.passed_on)
    ))::text end as decided,
    case when b.uid is not null then json_strip_nulls(json_build_object(
      'type', b.type, 'money', b.brokerage_delta, 'frozen', b.frozen_delta, 'available', b.available_delta, 'basis', trim_scale(b.basis),
      'rate', trim_scale(b.rate), 'level', b.agent_level, 'passed_on', trim_scale(b.passed_on)
    ))::text end as booked
  from entries as e
  full join booked as b
    on b.order_id = e.order_id and b.uid = e.uid and b.type = e.type and b.source = e.source and b.ordinal = e.ordinal
),
rises as (
  select coalesce(r.order_id, c.order_id) as order_id, coalesce(r.uid, c.uid) as uid,
    coalesce(r.cause, c.cause) as cause,
    r.from_level || ' to ' || r.to_level as decided, c.from_level || ' to ' || c.to_level as booked
  -- By the order, because a settlement that was made out of sequence has another position than the one that is decided.
  from (
    select (x.rise).*, case when (x.rise).cause = 'order' then (x.rise).order_id else x.position end as key
    from bundle.rises as x
  ) as r
  full join (
    select h.*, case when h.cause = 'order' then h.order_id else h.position end as key from bundle.changes as h
    where h.kind = 'rise'
  ) as c
    on c.cause = r.cause and c.key = r.key and c.uid = r.uid and c.from_level = r.from_level and c.to_level = r.to_level
),
differences as (
  select 1 as rank, s.order_id, null::bigint as uid, format('order %s', s.order_id) as subject, s.decided, s.booked
  from settlements as s
  union all
  select 2, g.order_id, g.uid, format('order %s, %s of uid %s', g.order_id, g.source, g.uid), g.decided, g.booked
  from grants as g
  union all
  select 3, r.order_id, r.uid,
    concat_ws(', ', 'order ' || r.order_id, format('level of uid %s', r.uid), nullif(r.cause, 'order')), r.decided,
    r.booked
  from rises as r
)
select
  (select count(*) from own)::integer as settlements,
  coalesce((
    select jsonb_agg(
      jsonb_build_object(
        'subject', d.subject, 'decided', coalesce(d.decided, 'nothing'), 'booked', coalesce(d.booked, 'nothing')
      )
      order by d.order_id, d.rank, d.uid, d.subject
    )
    from differences as d where d.decided is distinct from d.booked
  ), '[]') as differences
