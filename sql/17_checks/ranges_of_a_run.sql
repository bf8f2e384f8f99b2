-- The ranges of a reconciliation in several sessions, and the orders that have changed.

create table app.reconcile_ranges (
  reconcile bigint not null references app.reconcile_runs (id),
  keys text not null,
  last_key bigint not null,
  first_key bigint not null,
  check_no integer default 1,
  next_key bigint not null,
  findings integer not null default 0,
  sample jsonb not null default '[]',
  run bigint,
  primary key (reconcile, keys, last_key),
  constraint keys_of_a_range_are_known check (keys in ('members', 'orders', 'others')),
  constraint a_range_is_in_order check (first_key <= next_key and next_key <= last_key),
  constraint findings_of_a_range_are_not_negative check (findings >= 0),
  constraint a_sample_of_a_range_has_at_most_a_hundred_findings check (jsonb_array_length(sample) <= 100)
);
comment on table app.reconcile_ranges is
  'The ranges of an unfinished reconciliation in several sessions (app.settings.night_sessions): members by uid, '
  'orders by id, and all other checks. They are removed once all checks have run.';
comment on column app.reconcile_ranges.check_no is
  'The check of app.reconcile_checks() that comes next, or a later one of these keys; null if all have run.';
comment on column app.reconcile_ranges.next_key is 'The key with which that check continues.';
comment on column app.reconcile_ranges.sample is 'The first hundred findings of the range.';
comment on column app.reconcile_ranges.run is 'The run (app.job_runs) that last took the range.';

alter table app.reconcile_ranges enable row level security;
create policy admins_read_reconcile_ranges on app.reconcile_ranges for select to store_admin, service_role using (true);
grant select on app.reconcile_ranges to store_admin, service_role;

create table app.changed_orders (
  id bigint primary key,
  uid bigint not null,
  earner_uid bigint,
  reconcile bigint not null
);
create index changed_orders_uid_idx on app.changed_orders (uid);
create index changed_orders_earner_uid_idx on app.changed_orders (earner_uid) where earner_uid is not null;
comment on table app.changed_orders is
  'The orders that the last reconciliation looks at if sums of closed months are carried: those to which anything '
  'happened after these months.';
comment on column app.changed_orders.uid is 'The buyer.';
comment on column app.changed_orders.earner_uid is 'Whose place the order took.';

alter table app.changed_orders enable row level security;
create policy admins_read_changed_orders on app.changed_orders for select to store_admin, service_role using (true);
grant select on app.changed_orders to store_admin, service_role;

-- Block range indexes find these rows: the tables grow in the order of time, and the indexes cost almost nothing when
-- rows are written. Where a column has no value yet, as in a store without cancelled orders, the planner expects every
-- row and would read the whole table.
create or replace function app.orders_since(p_since timestamptz)
returns setof bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
as $$
begin
  return query
    select o.id from app.orders as o
    where o.add_time >= p_since or o.paid_at >= p_since or o.delivered_at >= p_since or o.received_at >= p_since
      or o.cancelled_at >= p_since
    union
    select s.order_id from app.settlements as s where s.settled_at >= p_since
    union
    select r.order_id from app.refunds as r where r.created_at >= p_since or r.decided_at >= p_since
    union
    select a.order_id from app.payment_attempts as a where a.add_time >= p_since or a.ended_at >= p_since;
end
$$;

comment on function app.orders_since is
  'Returns the orders to which anything has happened since p_since, with their settlements, refunds and attempts to '
  'pay.';

-- Each range is a part of the members or of the orders and goes through all checks of them, so no session waits for
-- another between two checks.
-- Locks: nothing. The caller has inserted the reconciliation.
-- Not idempotent: a second division is rejected by the primary key.
create or replace function app.divide_reconcile(p_id bigint, p_ranges integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_since timestamptz := (select r.since from app.reconcile_runs as r where r.id = p_id);
  v_of_members double precision := app.sample_percent('app.users');
  v_of_orders double precision := app.sample_percent('app.orders');
begin
  insert into app.reconcile_ranges (reconcile, keys, first_key, last_key, next_key)
  select p_id, l.keys, l.first_key, l.last_key, l.first_key
  from (
    select e.keys, e.last_key,
      coalesce(lag(e.last_key) over (partition by e.keys order by e.last_key) + 1, 0) as first_key
    from (
      select p.keys, max(p.key) as last_key
      from (
        select k.keys, k.key, ntile(p_ranges) over (partition by k.keys order by k.key) as part
        from (
          select 'members' as keys, u.uid as key from app.users as u tablesample system (v_of_members)
          union all
          select 'orders', o.id from app.orders as o tablesample system (v_of_orders) where v_since = '-infinity'
          union all
          select 'orders', c.id from app.changed_orders as c where v_since > '-infinity'
        ) as k
      ) as p
      where p.part < p_ranges
      group by p.keys, p.part
      union all
      select a.keys, 9223372036854775807 from unnest('{members, orders, others}'::text[]) as a (keys)
    ) as e
  ) as l
  order by l.keys, l.last_key;
end
$$;

comment on function app.divide_reconcile is
  'Divides a reconciliation into at most p_ranges ranges of members, as many of orders, and one for all other checks. '
  'The last one of each kind has no end.';

-- Locks: the range, skipping those that another session takes.
-- Idempotent: a range that a running session visits is not taken from it.
create or replace function app.take_checks(p_id bigint, p_run bigint)
returns app.reconcile_ranges
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.reconcile_ranges as g
  set run = p_run
  where (g.reconcile, g.keys, g.last_key) = (
    select o.reconcile, o.keys, o.last_key
    from app.reconcile_ranges as o
    where o.reconcile = p_id and o.check_no is not null and not app.is_visited(o.run)
    -- What cannot be divided comes first, so that no session is left with it.
    order by o.keys desc, o.last_key
    limit 1
    for update skip locked
  )
  returning g.*
$$;

comment on function app.take_checks is
  'Takes for a run the next unfinished range of a reconciliation that no running session visits, and returns it; null '
  'if there is none.';

-- Locks: the range.
-- Idempotent, also when it runs concurrently: a slice is counted in the transaction that checks it.
create or replace function app.reconcile_range(p_range app.reconcile_ranges, p_batch integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_range app.reconcile_ranges;
  v_run app.reconcile_runs;
  v_check record;
  v_last bigint;
  v_found record;
begin
  -- Row order: a key.
  select g.* into v_range from app.reconcile_ranges as g
  where (g.reconcile, g.keys, g.last_key) = (p_range.reconcile, p_range.keys, p_range.last_key) for update;
  if v_range.check_no is null then
    return false;
  end if;
  select r.* into v_run from app.reconcile_runs as r where r.id = v_range.reconcile;
  select c.* into v_check from app.reconcile_checks() as c
  where c.check_no >= v_range.check_no
    and case when c.keys in ('members', 'orders') then c.keys else 'others' end = v_range.keys
  order by c.check_no limit 1;
  if not found then
    update app.reconcile_ranges as g set check_no = null
    where (g.reconcile, g.keys, g.last_key) = (v_range.reconcile, v_range.keys, v_range.last_key);
    return false;
  end if;
  v_last := v_range.last_key;
  if v_check.keys is not null then
    v_last := least(app.next_keys(v_check.keys, v_range.next_key, p_batch, v_run.since), v_last);
  end if;
  v_found := app.run_check(v_run, v_check.check_no, v_range.next_key, v_last, 100 - jsonb_array_length(v_range.sample));
  update app.reconcile_ranges as g
  set findings = g.findings + v_found.findings, sample = g.sample || v_found.sample,
      check_no = case when v_last = v_range.last_key then v_check.check_no + 1 else v_check.check_no end,
      -- Of variables only, so that the planner does not compute the next key of a range without an end.
      next_key = case when v_last = v_range.last_key then v_range.first_key else v_last + 1 end
  where (g.reconcile, g.keys, g.last_key) = (v_range.reconcile, v_range.keys, v_range.last_key);
  return true;
end
$$;

comment on function app.reconcile_range is
  'Runs the next check of a range on its next p_batch members or orders, records the findings, and returns whether '
  'more may be left; false for null.';

-- Locks: the row of the reconciliation, then its ranges.
-- Idempotent: ranges are gathered once, and a reconciliation without ranges stays as it is.
create or replace function app.gather_findings(p_id bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.reconcile_runs as r where r.id = p_id for update;
  with gone as (delete from app.reconcile_ranges as g where g.reconcile = p_id returning g.*)
  update app.reconcile_runs as r
  set findings = s.findings, sample = s.sample,
    check_no = (select max(c.check_no) + 1 from app.reconcile_checks() as c), next_key = 0
  from (
    select (select sum(g.findings)::integer from gone as g) as findings, (
      select coalesce(jsonb_agg(f.finding order by f.place) filter (where f.place <= 100), '[]')
      from (
        select e.finding, row_number() over (order by g.keys, g.last_key, e.place) as place
        from gone as g cross join lateral jsonb_array_elements(g.sample) with ordinality as e (finding, place)
      ) as f
    ) as sample
  ) as s
  where r.id = p_id and s.findings is not null;
end
$$;

comment on function app.gather_findings is
  'Adds up the findings of the ranges of a reconciliation, all of which have been checked, and removes the ranges.';
