import type postgres from "postgres";

/** What decides a settlement: from these, the functions that they call follow. */
const DECIDING = [
  "order_facts",
  "decide_cycles",
  "settlement_changes",
  "decide_levels",
  "settlement_entries",
  "new_tree_change",
  "new_facts",
  "level_rules",
  "line_left",
  "is_counted",
  "is_below_minimum",
];

/** The types of the values that these functions take and return. */
const TYPES = [
  "orders",
  "settlements",
  "commission_plans",
  "level_rule",
  "level_grant",
  "level_rise",
  "tree_change",
  "tree_member",
  "cycle_state",
  "order_facts",
  "bill_entry",
  "concession",
];

/** $1: names of functions. Functions name each other in full, so that the text of one shows which others it calls. */
const FUNCTIONS = `
  with recursive needed as (
    select p.oid, p.proname, p.prosrc from pg_proc as p where p.pronamespace = 'app'::regnamespace and p.proname = any ($1::text[])
    union
    select p.oid, p.proname, p.prosrc
    from needed as n
    cross join lateral regexp_matches(n.prosrc, 'app\\.(\\w+)\\(', 'g') as m (called)
    join pg_proc as p on p.pronamespace = 'app'::regnamespace and p.proname = m.called[1]
  )
  select n.proname as name, pg_get_functiondef(n.oid) as text from needed as n order by n.proname`;

/** $1: names of types and tables. */
const TYPE_DEFINITIONS = `
  select format('create type app.%I as (%s);', n.name, string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)) as text
  from unnest($1::text[]) with ordinality as n (name)
  join pg_class as c on c.relnamespace = 'app'::regnamespace and c.relname = n.name
  join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  group by n.name, n.ordinality order by n.ordinality`;

/** As a connection that does not know the types of the server takes it. */
const arrayOf = (names: string[]) => `{${names.join(",")}}`;

/**
 * What decides in a database: the names and texts of files, the types first. A bundle has them, and engine/ those of
 * this checkout.
 */
export async function engineOf(sql: postgres.Sql | postgres.TransactionSql): Promise<Map<string, string>> {
  const types = await sql.unsafe<{ text: string }[]>(TYPE_DEFINITIONS, [arrayOf(TYPES)]);
  const functions = await sql.unsafe<{ name: string; text: string }[]>(FUNCTIONS, [arrayOf(DECIDING)]);
  return new Map([
    ["types.sql", types.map(({ text }) => `${text}\n`).join("")],
    ...functions.map(({ name, text }): [string, string] => [`functions/${name}.sql`, text]),
  ]);
}

/** $1: the month. Positions are those of app.positions, by which what happened follows one another. */
export const BOUNDS = `
  select b.begins_at::text, b.ends_at::text, f.start as first_position, coalesce(greatest(
    (select max(s.position) from app.settlements as s where s.settled_at >= b.begins_at and s.settled_at < b.ends_at),
    (select max(r.position) from app.refunds as r where r.created_at >= b.begins_at and r.created_at < b.ends_at),
    (select max(r.decided_position) from app.refunds as r where r.decided_at >= b.begins_at and r.decided_at < b.ends_at),
    (select max(n.position) from app.no_assess_changes as n where n.add_time >= b.begins_at and n.add_time < b.ends_at),
    (select max(c.position) from app.level_changes as c where c.add_time >= b.begins_at and c.add_time < b.ends_at),
    (select max(i.finished_position) from app.imports as i where i.finished_at >= b.begins_at and i.finished_at < b.ends_at)
  ), f.start - 1) as last_position
  from app.month_bounds(app.month_start($1)) as b cross join lateral app.first_position(b.begins_at) as f (start)`;

/** $1, $2: positions. Everyone to whom something happens, and everyone above them. */
export const MEMBERS = `
  with recursive members as (
    select u.uid, u.spread_uid
    from app.users as u
    where (u.spread_position between $1::bigint and $2::bigint and u.spread_uid is not null) or u.uid in (
      select s.uid from app.settlements as s where s.position between $1 and $2
      union all
      select o.uid from app.refunds as r join app.orders as o on o.id = r.order_id
      where r.position between $1 and $2 or r.decided_position between $1 and $2
      union all
      select n.uid from app.no_assess_changes as n where n.position between $1 and $2
      union all
      select c.uid from app.level_changes as c where c.position between $1 and $2
    )
    union
    select r.uid, r.spread_uid from members as m join app.users as r on r.uid = m.spread_uid
  )
  select coalesce(array_agg(m.uid order by m.uid), '{}')::text as uids from members as m`;

const PLANS = `
  select to_jsonb(p) - 'created_by' as row from app.commission_plans as p where p.created_at < $1::timestamptz or p.version = 1 order by p.version`;

const LEVELS = `
  select jsonb_build_object('version', v.version, 'levels', v.levels, 'created_at', v.created_at, 'position', v.position) as row
  from app.level_versions as v where v.created_at < $1::timestamptz or v.version = 1 order by v.version`;

const RULES =
  "select jsonb_build_object('version', v.version, 'position', v.position) as row from app.rule_versions as v order by v.version";

/** $1: a position, $2: members, sorted. They are what the histories make of them, not what is stored. */
const OPENING = `
  select jsonb_build_object(
    'uid', m.uid, 'referrer_uid', ($2::bigint[])[m.referrer], 'agent_level', m.agent_level, 'is_held', m.is_held, 'no_assess', m.no_assess,
    'own_orders', m.own_orders, 'direct_orders', m.direct_orders, 'umbrella_orders', m.umbrella_orders, 'direct_members', m.direct_members,
    'umbrella_members', m.umbrella_members, 'cycle_no', m.cycle_no, 'plan_version', m.plan_version, 'is_open', m.is_open, 'taken', m.taken,
    'orders', m.orders, 'has_left', m.has_left
  ) as row
  from app.simulated_members($2::bigint[], $1::bigint, null, null) as s
  cross join lateral unnest(s.members, s.cycles) as m (
    uid, referrer, agent_level, is_held, no_assess, own_orders, direct_orders, umbrella_orders, direct_members, umbrella_members, is_changed, has_left,
    cycle_uid, reported_since, cycle_no, plan_version, is_open, taken, orders, placed
  )
  order by m.uid`;

/** $1, $2: positions, $3: members. With the orders by which the members were eligible at some time in the month. */
const ORDERS = `
  with reported as (
    select distinct on (o.uid) o.id
    from app.orders as o
    where o.uid = any ($3::bigint[]) and o.paid_at is not null and o.queue_units > 0 and o.refund_status <> 2 and not o.below_minimum
    order by o.uid, o.paid_at, o.id
  ),
  needed as (
    select r.id from reported as r
    union
    select r.order_id from app.refunds as r where r.position >= $1::bigint or r.decided_position >= $1
    union
    select s.order_id from app.settlements as s where s.position between $1 and $2::bigint
  )
  select jsonb_build_object(
    'id', o.id, 'uid', o.uid, 'referrer_uid', o.referrer_uid, 'add_time', o.add_time, 'paid_at', o.paid_at, 'is_imported', o.is_imported,
    'imported_plan', case when o.is_imported then o.plan_version end, 'plan_version', o.plan_version,
    'settled_position', (select s.position from app.settlements as s where s.order_id = o.id and s.position <= $2),
    'lines', (
      select jsonb_agg(jsonb_build_object('id', l.id, 'paid', l.paid, 'quantity', l.quantity, 'is_queue_goods', l.is_queue_goods) order by l.id)
      from app.order_lines as l where l.order_id = o.id
    ),
    'refunds', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'position', r.position, 'decided_position', d.position, 'is_refunded', app.is_paid_back(r.state) and d.position is not null,
        'lines', (
          select jsonb_agg(jsonb_build_object('line_id', i.line_id, 'quantity', q.quantity, 'concession', i.concession) order by i.line_id)
          from app.refund_lines as i
          -- Until its answer, a request has the units that it asked for.
          cross join lateral (select case when d.position is null then coalesce(i.asked, i.quantity) else i.quantity end as quantity) as q
          where i.refund_id = r.id and (q.quantity > 0 or i.concession > 0)
        )
      ) order by r.id)
      from app.refunds as r cross join lateral (select case when r.decided_position <= $2 then r.decided_position end as position) as d
      where r.order_id = o.id and r.position <= $2
    ), '[]')
  ) as row
  from needed as n join app.orders as o on o.id = n.id
  where o.has_queue_goods and o.paid_at is not null and o.uid = any ($3)
  order by o.id`;

const SETTLEMENTS = `
  select to_jsonb(s) as row from app.settlements as s where s.position between $1::bigint and $2::bigint order by s.position`;

/** $1, $2: positions, $3: members. */
const CHANGES = `
  select c.row
  from (
    select n.position, 0::bigint as id, jsonb_build_object('kind', 'assess', 'position', n.position, 'uid', n.uid, 'is_set', n.to_value) as row
    from app.no_assess_changes as n where n.position between $1::bigint and $2::bigint
    union all
    select c.position, c.id, jsonb_build_object(
      'kind', case when c.reason = 'tasks' then 'rise' else 'grade' end, 'position', c.position, 'uid', c.uid, 'order_id', c.order_id,
      'from_level', c.from_level, 'to_level', c.to_level, 'is_set', c.to_held, 'was_set', c.from_held,
      'cause', case when c.reason = 'tasks' then coalesce(c.cause, 'order') end
    )
    from app.level_changes as c where c.position between $1 and $2
    union all
    select u.spread_position, 0, jsonb_build_object('kind', 'refer', 'position', u.spread_position, 'uid', u.uid, 'referrer_uid', u.spread_uid)
    from app.referred_later($1) as l (uid) join app.users as u on u.uid = l.uid
    where u.spread_position <= $2 and u.uid = any ($3::bigint[])
    union all
    select i.finished_position, 0, jsonb_build_object('kind', 'import', 'position', i.finished_position)
    from app.imports as i where i.finished_position between $1 and $2
    union all
    select u.left_position, 0, jsonb_build_object('kind', 'leave', 'position', u.left_position, 'uid', u.uid)
    from app.users as u where u.left_position between $1 and $2 and u.uid = any ($3::bigint[])
  ) as c
  order by c.position, c.id`;

export interface Span {
  ends_at: string;
  first_position: string;
  last_position: string;
}

/** The files of a bundle with a JSON value in each line, and what is in them. */
export const rowFiles = (
  { ends_at: endsAt, first_position: first, last_position: last }: Span,
  uids: string,
): Record<string, { query: string; parameters: string[] }> => ({
  "plans.jsonl": { query: PLANS, parameters: [endsAt] },
  "levels.jsonl": { query: LEVELS, parameters: [endsAt] },
  "rules.jsonl": { query: RULES, parameters: [] },
  "opening.jsonl": { query: OPENING, parameters: [first, uids] },
  "orders.jsonl": { query: ORDERS, parameters: [first, last, uids] },
  "changes.jsonl": { query: CHANGES, parameters: [first, last, uids] },
  "settlements.jsonl": { query: SETTLEMENTS, parameters: [first, last] },
});
