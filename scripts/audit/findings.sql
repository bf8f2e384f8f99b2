-- What is wrong with the rows of a bundle (load.sql), whatever they decide, in sentences: rows of another month, and
-- rows that are there twice.

with span as (
  select b.*, to_date(b.month, 'YYYY-MM')::timestamp at time zone 'UTC' as first_day from bundle.bounds as b
),
twice (file, what) as (
  select 'plans.jsonl', format('version %s', p.version) from bundle.plans as p group by p.version having count(*) > 1
  union all
  select 'levels.jsonl', format('version %s', v.version) from bundle.levels as v group by v.version having count(*) > 1
  union all
  select 'rules.jsonl', format('version %s', v.version) from bundle.rules as v group by v.version having count(*) > 1
  union all
  select 'opening.jsonl', format('member %s', m.uid) from bundle.members as m group by m.uid having count(*) > 1
  union all
  select 'orders.jsonl', format('order %s', o.id) from bundle.orders as o group by o.id having count(*) > 1
  union all
  select 'changes.jsonl', format('the change of uid %s at position %s', c.uid, c.position) from bundle.changes as c
  group by c.position, c.uid, c.kind, c.order_id, c.from_level, c.to_level having count(*) > 1
  union all
  select 'settlements.jsonl', format('order %s', s.order_id) from bundle.settlements as s group by s.order_id
  having count(*) > 1
  union all
  select 'bill.txt', format('row %s', b.id) from bundle.bill as b group by b.id having count(*) > 1
),
elsewhere (file, what) as (
  select 'settlements.jsonl', format('order %s', s.order_id) from bundle.settlements as s, span as b
  where s.position not between b.first_position and b.last_position
  union all
  select 'changes.jsonl', format('the change of uid %s at position %s', c.uid, c.position)
  from bundle.changes as c, span as b
  where c.position not between b.first_position and b.last_position
  union all
  select 'bill.txt', format('row %s', r.id) from bundle.bill as r, span as b
  where r.add_time < b.begins_at or r.add_time >= b.ends_at
)
-- Zones of time are from 14 hours before to 12 hours after UTC.
select 'manifest.json: begins_at and ends_at are not those of the month.' as finding
from span as b
where b.begins_at - b.first_day not between interval '-14 hours' and interval '12 hours'
  or b.ends_at - (b.first_day + interval '1 month') not between interval '-14 hours' and interval '12 hours'
union all
select format('%s: %s is there twice.', t.file, t.what) from twice as t
union all
select format('%s: %s is not of this month.', e.file, e.what) from elsewhere as e
union all
select format('bill.txt: row %s does not follow the row before it.', b.id)
from (select r.*, lag((r.add_time, r.id)) over (order by r.number) as before from bundle.bill as r) as b
where (b.add_time, b.id) < b.before
order by finding
