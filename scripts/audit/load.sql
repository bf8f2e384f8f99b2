-- The rows of a bundle as tables. bundle.lines has the lines of its files, as values and never as statements.

create table bundle.plans as
select p.version, p.created_at, p.minimum_base, p as plan from bundle.lines as l
cross join lateral jsonb_populate_record(null::app.commission_plans, l.row) as p where l.file = 'plans.jsonl';

create table bundle.levels as
select v.* from bundle.lines as l
cross join lateral jsonb_to_record(l.row) as v (version integer, levels jsonb, created_at timestamptz, position bigint)
where l.file = 'levels.jsonl';

create table bundle.rules as
select v.* from bundle.lines as l cross join lateral jsonb_to_record(l.row) as v (version smallint, position bigint)
where l.file = 'rules.jsonl';

create table bundle.members as
select row_number() over (order by m.uid)::integer as index, m.*
from bundle.lines as l cross join lateral jsonb_to_record(l.row) as m (
  uid bigint, referrer_uid bigint, agent_level smallint, is_held boolean, no_assess boolean, own_orders integer,
  direct_orders integer,
  umbrella_orders integer, direct_members integer, umbrella_members integer, cycle_no integer, plan_version integer,
  is_open boolean,
  taken smallint[], orders bigint[], has_left boolean
)
where l.file = 'opening.jsonl';

create table bundle.orders as
select o.*
from bundle.lines as l cross join lateral jsonb_to_record(l.row) as o (
  id bigint, uid bigint, referrer_uid bigint, add_time timestamptz, paid_at timestamptz, is_imported boolean,
  imported_plan integer, plan_version integer,
  settled_position bigint, lines jsonb, refunds jsonb
)
where l.file = 'orders.jsonl';

create table bundle.changes as
select c.*
from bundle.lines as l cross join lateral jsonb_to_record(l.row) as c (
  kind text, position bigint, uid bigint, referrer_uid bigint, order_id bigint, from_level smallint, to_level smallint,
  is_set boolean, was_set boolean,
  cause text
)
where l.file = 'changes.jsonl';

create table bundle.settlements as
select s.* from bundle.lines as l cross join lateral jsonb_populate_record(null::app.settlements, l.row) as s
where l.file = 'settlements.jsonl';

create table bundle.bill as
select
  l.number, v[2]::timestamptz as add_time, v[3]::bigint as id, v[4]::bigint as uid, v[5] as type, v[6] as source,
  v[7]::numeric as brokerage_delta,
  v[8]::numeric as frozen_delta, v[9]::numeric as available_delta, nullif(v[13], '')::bigint as order_id,
  nullif(v[14], '')::numeric as basis,
  nullif(v[15], '')::numeric as rate, nullif(v[16], '')::smallint as agent_level,
  nullif(v[17], '')::numeric as passed_on,
  nullif(v[18], '')::bigint as reverses_id
from bundle.lines as l cross join lateral string_to_array(l.row #>> '{}', '|') as v
where l.file = 'bill.txt';
