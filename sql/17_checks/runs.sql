-- Reconciliation as a run: in slices, with sums carried for closed months.

create or replace function app.reconcile_checks()
returns table (check_no integer, name text, keys text, is_dated boolean)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.check_no, c.name, c.keys, c.is_dated
  from (values
    (1, 'reconcile_balances', 'members', true),
    (2, 'reconcile_amounts', 'members', true),
    (3, 'reconcile_counters', 'members', true),
    (4, 'reconcile_levels', 'members', false),
    (5, 'reconcile_orders', 'orders', false),
    (6, 'reconcile_settlements', 'orders', false),
    (7, 'reconcile_cycles', 'members', true),
    (8, 'reconcile_grants', 'orders', false),
    (9, 'reconcile_reversals', 'orders', false),
    (10, 'reconcile_jobs', null, false),
    (11, 'reconcile_sample', 'sample', true),
    (12, 'reconcile_release_runs', 'days', false),
    (13, 'reconcile_releases', 'members', true),
    (14, 'reconcile_refunds', 'orders', false),
    (15, 'reconcile_payments', 'orders', false),
    (16, 'reconcile_provider_refunds', null, false),
    (17, 'reconcile_stock', 'orders', false),
    (18, 'reconcile_article_pool', null, false),
    (19, 'reconcile_team_totals', 'members', true),
    (20, 'reconcile_imports', null, false),
    (21, 'reconcile_maturities', 'orders', false),
    (22, 'reconcile_withdrawals', 'members', true),
    (23, 'reconcile_order_points', 'orders', false),
    (24, 'reconcile_points', 'members', true),
    (25, 'reconcile_adjustments', 'members', true),
    (26, 'reconcile_closed_months', 'months', false),
    (27, 'reconcile_transfers', null, false),
    (28, 'reconcile_times', 'members', false),
    (29, 'reconcile_tax', 'members', false),
    (30, 'reconcile_holds', null, false),
    (31, 'reconcile_leavers', 'members', false),
    (32, 'reconcile_referrers', 'orders', false),
    (33, 'reconcile_fees', 'members', false),
    (34, 'reconcile_withholdings', 'members', false),
    (35, 'reconcile_batches', null, false),
    (36, 'reconcile_decided_alone', null, false),
    (37, 'reconcile_events', null, false)
  ) as c (check_no, name, keys, is_dated)
$$;

comment on function app.reconcile_checks is
  'Returns the checks of app.reconcile() in their order, and the keys by which they run in slices (null: at once). '
  'is_dated: the check takes p_since and looks only at what has happened since then. Checks by order, day or month '
  'get only the keys since then.';

-- Stable, so all checks read the same snapshot.
create or replace function app.reconcile()
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
declare
  v_check record;
begin
  for v_check in select c.* from app.reconcile_checks() as c order by c.check_no loop
    return query execute format('select * from app.%I()', v_check.name);
  end loop;
end
$$;

comment on function app.reconcile is
  'Runs all checks of app.reconcile_checks() on the whole database and returns one row per finding, none when all is '
  'well.';

create or replace function app.sample_size()
returns integer
language sql
immutable
parallel safe
as $$
  select 200
$$;

comment on function app.sample_size is 'Returns how many settlements app.reconcile() decides again.';

create or replace function app.reconcile_sample(
  p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity'
)
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select d.*
  from (select greatest(p_from, 1)::integer as first, least(p_to, app.sample_size())::integer as last) as k
  cross join lateral app.reconcile_decisions(
    greatest(k.last - k.first + 1, 0), (select max(s.position) from app.settlements as s), k.first - 1, p_since
  ) as d
$$;

comment on function app.reconcile_sample is
  'Decides the settlements with the numbers p_from to p_to of a random sample again (app.reconcile_decisions).';

-- A slice is no larger than the store, so that a halved one is smaller than all.
create or replace function app.reconcile_batch()
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select greatest(
    (select count(*) from (select from app.users as u limit 100000) as m),
    (select count(*) from (select from app.orders as o limit 100000) as n), 1
  )::integer
$$;

comment on function app.reconcile_batch is
  'Returns how many members or orders a slice of a reconciliation has: all, but at most 100,000.';

-- A row of a time that no closed month includes is not final, so the search ends before it.
create or replace function app.closed_until(p_since timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_until timestamptz := p_since;
  v_month app.closed_months;
begin
  for v_month in select c.* from app.closed_months as c where c.ends_at > p_since order by c.begins_at loop
    exit when v_month.begins_at > v_until and exists (select from app.bill(v_until, v_month.begins_at) as b);
    v_until := greatest(v_until, v_month.ends_at);
  end loop;
  return nullif(v_until, p_since);
end
$$;

comment on function app.closed_until is
  'Returns until when every bill row since p_since belongs to a closed month; null if no month has been closed since '
  'then.';

create or replace function app.carried_until()
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(r.carried_until), '-infinity') from app.reconcile_runs as r where r.finished_at is not null
$$;

comment on function app.carried_until is
  'Returns the end of the closed months whose sums the nightly reconciliation carries; -infinity before the first.';

-- The sessions of a night begin one reconciliation together, also one that is late: what began within the last minute
-- was that of its night.
-- Locks: the row of the job; the rows of the reconciliation and of the run.
-- Idempotent: an unfinished reconciliation is continued.
create or replace function app.begin_reconcile(p_run bigint)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sessions constant integer := (select s.night_sessions from app.settings as s);
  v_since constant timestamptz := app.carried_until();
  v_id bigint;
begin
  perform from app.scheduled_jobs as j where j.name = 'reconcile_bill' for update;
  update app.reconcile_runs as r
  set cuts = greatest(r.cuts, app.cuts_of('reconcile_bill', r.id::text))
  where r.id = (select u.id from app.reconcile_runs as u where u.finished_at is null order by u.id limit 1)
  returning r.id into v_id;
  if v_id is null then
    if v_sessions > 1
      and exists (select from app.reconcile_runs as r where r.started_at > clock_timestamp() - interval '1 minute') then
      return null;
    end if;
    insert into app.reconcile_runs as r (started_at, since, carried_until)
    values (clock_timestamp(), v_since, app.closed_until(v_since))
    returning r.id into v_id;
    delete from app.changed_orders as c where c.reconcile < v_id;
    insert into app.changed_orders (id, uid, earner_uid, reconcile)
    select o.id, o.uid, s.earner_uid, v_id
    from app.orders_since(v_since) as c (id) join app.orders as o on o.id = c.id
    left join app.settlements as s on s.order_id = o.id
    where v_since > '-infinity';
    perform app.divide_reconcile(v_id, 2 * v_sessions) where v_sessions > 1;
  end if;
  perform app.begin_part(p_run, v_id::text);
  return v_id;
end
$$;

comment on function app.begin_reconcile is
  'Continues the unfinished reconciliation or begins one, in ranges if a night has several sessions, and returns its '
  'id. Null if the reconciliation of the night has ended already.';

create or replace function app.day_of_key(p_key bigint)
returns date
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select date '2000-01-01' + least(p_key, 365000)::integer
$$;

comment on function app.day_of_key is 'Returns the business day of a key of app.next_keys, the days since 2000-01-01.';

-- A batch is measured in members or orders. The other keys are weighed by what one costs: deciding an order again takes
-- as long as checking about 500 orders, a day of releases about 2,000 members. A slice has one or two closed months.
-- Deciding an order again takes some milliseconds, so 20 at a time are a small slice, too.
create or replace function app.next_keys(
  p_keys text, p_from bigint, p_batch integer, p_since timestamptz default '-infinity'
)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_limit integer := case p_keys
    when 'sample' then greatest(least(p_batch, 20), p_batch / 500, 1)
    when 'days' then greatest(p_batch / 2000, 1)
    when 'months' then greatest(p_batch / 50000, 1)
    else greatest(p_batch, 1)
  end;
  v_keys bigint[];
begin
  case p_keys
    when 'members' then
      v_keys := array(select u.uid from app.users as u where u.uid >= p_from order by u.uid limit v_limit);
    when 'orders' then
      if p_since > '-infinity' then
        v_keys := array(select c.id from app.changed_orders as c where c.id >= p_from order by c.id limit v_limit);
      else
        v_keys := array(select o.id from app.orders as o where o.id >= p_from order by o.id limit v_limit);
      end if;
    when 'days' then
      v_keys := array(
        select r.release_date - date '2000-01-01' from app.release_runs as r
        where r.release_date >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by r.release_date
        limit v_limit
      );
    when 'months' then
      v_keys := array(
        select c.month - date '2000-01-01' from app.closed_months as c
        where c.month >= greatest(app.day_of_key(p_from), app.business_day(p_since)) order by c.month limit v_limit
      );
    else
      v_keys := array(
        select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key
        limit v_limit
      );
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$$;

comment on function app.next_keys is
  'Returns the last key of the slice that begins with p_from and costs as much as p_batch members or orders; the last '
  'slice has no end. With p_since, only orders, days and months since then count.';

-- Precondition: the rows from p_since until before p_until belong to closed months and have been proved.
-- Locks: nothing that other transactions write.
-- Idempotent: a member whose sums include these rows is left as they are.
create or replace function app.carry_balances(p_from bigint, p_to bigint, p_since timestamptz, p_until timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  insert into app.carried_balances as c (uid, carried_until, brokerage, frozen, available, commission, points)
  select
    l.uid, p_until, sum(l.brokerage_delta), sum(l.frozen_delta), sum(l.available_delta),
    coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0),
    coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0)
  from app.bill(p_since, p_until) as l
  where l.uid between p_from and p_to
  group by l.uid
  order by l.uid
  on conflict (uid) do update
  set carried_until = excluded.carried_until, brokerage = c.brokerage + excluded.brokerage,
    frozen = c.frozen + excluded.frozen,
      available = c.available + excluded.available, commission = c.commission + excluded.commission,
      points = c.points + excluded.points
  where c.carried_until < excluded.carried_until;
end
$$;

comment on function app.carry_balances is
  'Adds the bill rows from p_since until before p_until to the carried sums of the members from p_from to p_to.';

-- Locks: nothing. The caller holds the row of the reconciliation.
-- Idempotent: sums are carried once.
create or replace function app.end_reconcile(p_run app.reconcile_runs, p_batch integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_last bigint := 9223372036854775807;
begin
  if p_run.findings = 0 and p_run.carried_until is not null then
    v_last := app.next_keys('members', p_run.next_key, p_batch);
    perform app.carry_balances(p_run.next_key, v_last, p_run.since, p_run.carried_until);
  end if;
  if v_last < 9223372036854775807 then
    update app.reconcile_runs as r set next_key = v_last + 1 where r.id = p_run.id;
    return true;
  end if;
  update app.reconcile_runs as r
  set finished_at = clock_timestamp(), carried_until = case when r.findings = 0 then r.carried_until end
  where r.id = p_run.id;
  return false;
end
$$;

comment on function app.end_reconcile is
  'Ends a reconciliation whose checks have all run. If it found nothing, first carries the sums of p_batch members '
  'that it proved, and returns whether more are left.';

-- Orders without a change between two that have changed are checked with them if they are few. A range with its lower
-- end 0 comes first in every check, because some checks look there at what has no key.
create or replace function app.key_ranges(p_keys text, p_since timestamptz, p_from bigint, p_to bigint)
returns table (first bigint, last bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_gap constant bigint := 100;
begin
  if p_since > '-infinity' and p_keys = 'orders' then
    return query
      select 0::bigint, 0::bigint where p_from = 0
      union all
      select min(i.id), max(i.id)
      from (
        select g.id, count(*) filter (where g.gap > v_gap) over (order by g.id) as island
        from (
          select c.id, c.id - lag(c.id) over (order by c.id) as gap from app.changed_orders as c
          where c.id between p_from and p_to
        ) as g
      ) as i
      group by i.island;
  elsif p_since > '-infinity' and p_keys in ('days', 'months') then
    return query select greatest(p_from, app.business_day(p_since) - date '2000-01-01'), p_to;
  else
    return query select p_from, p_to;
  end if;
end
$$;

comment on function app.key_ranges is
  'Returns the ranges of keys from p_from to p_to that a check reads with p_since: orders around the changed ones, '
  'days and closed months since then, otherwise all.';

create or replace function app.run_check(
  p_run app.reconcile_runs, p_check_no integer, p_from bigint, p_to bigint, p_most integer, out findings integer,
  out sample jsonb
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_check record;
begin
  -- Row order: each check has a number of its own.
  select c.* into v_check from app.reconcile_checks() as c where c.check_no = p_check_no;
  execute format($sql$
    select count(*)::integer,
      coalesce(jsonb_agg(to_jsonb(f) - 'number' order by f.number) filter (where f.number <= $1), '[]')
    -- Row order: which findings are kept as a sample is not promised.
    from (
      select r.*, row_number() over () as number from app.key_ranges($2, $3, $4, $5) as k
      cross join lateral app.%I(%s) as r
      where not app.is_explained(r.check_name, r.subject, r.expected, r.actual)
    ) as f
  $sql$, v_check.name,
  case when v_check.keys is not null then 'k.first, k.last' || case when v_check.is_dated then ', $3' else '' end end)
  into findings, sample using p_most, v_check.keys, p_run.since, p_from, p_to;
exception when data_corrupted then
  -- Compacted rows that contradict each other are not read at all (app.releases_of_run).
  findings := 1;
  sample := case when p_most > 0 then jsonb_build_array(jsonb_build_object(
    'check_name', 'compacted_rows_follow', 'subject', v_check.name, 'expected', 'rows that follow', 'actual', sqlerrm
  )) else '[]' end;
end
$$;

comment on function app.run_check is
  'Runs a check on the keys from p_from to p_to, and returns the number of findings that nobody has explained and the '
  'first p_most of them.';

-- Locks: the row of the reconciliation.
-- Idempotent, also when it runs concurrently: a slice is counted in the transaction that checks it.
create or replace function app.reconcile_slice(p_id bigint, p_batch integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_run app.reconcile_runs;
  v_check record;
  v_last bigint := 9223372036854775807;
  v_found record;
begin
  select r.* into v_run from app.reconcile_runs as r where r.id = p_id for update;
  if v_run.finished_at is not null then
    return false;
  end if;
  -- Row order: each check has a number of its own.
  select c.* into v_check from app.reconcile_checks() as c where c.check_no = v_run.check_no;
  if not found then
    return app.end_reconcile(v_run, p_batch);
  end if;
  if v_check.keys is not null then
    v_last := app.next_keys(v_check.keys, v_run.next_key, p_batch, v_run.since);
  end if;
  v_found := app.run_check(v_run, v_run.check_no, v_run.next_key, v_last, 100 - jsonb_array_length(v_run.sample));
  update app.reconcile_runs as r
  set findings = r.findings + v_found.findings, sample = r.sample || v_found.sample,
      check_no = case when v_last = 9223372036854775807 then r.check_no + 1 else r.check_no end,
      next_key = case when v_last = 9223372036854775807 then 0 else v_last + 1 end
  where r.id = p_id;
  return true;
end
$$;

comment on function app.reconcile_slice is
  'Runs the next check of a reconciliation on its next p_batch members or orders, or after the last check '
  'app.end_reconcile. Records the findings, and returns whether more may be left.';

-- Every slice reads a snapshot of its own. The rows that a check compares with one another are in one slice. A session
-- that finds no range to take waits for the others, and takes up the range of one that is cut (see
-- app.release_frozen_points). Idempotent, also when it runs concurrently: concurrent runs share the ranges, and then
-- the slices.
create or replace procedure app.record_reconcile()
language plpgsql
as $$
declare
  v_run record := app.begin_run('reconcile_bill', app.reconcile_batch());
  v_id bigint := app.begin_reconcile(v_run.id);
  v_range app.reconcile_ranges;
begin
  commit;
  while exists (select from app.reconcile_ranges as g where g.reconcile = v_id and g.check_no is not null) loop
    v_range := app.take_checks(v_id, v_run.id);
    commit;
    perform pg_catalog.pg_sleep(0.1) where v_range.keys is null;
    while app.reconcile_range(v_range, v_run.batch) loop
      v_run.batch := app.end_batch(v_run.id);
      commit;
    end loop;
    commit;
  end loop;
  perform app.gather_findings(v_id);
  commit;
  while app.reconcile_slice(v_id, v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.record_reconcile is
  'Runs the checks of app.reconcile() in slices with a commit each, and stores the findings (app.reconcile_runs). A '
  'cut reconciliation is continued, and concurrent sessions share one in ranges. Proved months are not read again '
  '(app.carried_balances).';

create or replace function app.last_reconcile()
returns setof app.reconcile_runs
language sql
stable
rows 1
set search_path = pg_catalog, pg_temp
as $$
  select r.* from app.reconcile_runs as r where r.finished_at is not null order by r.id desc limit 1
$$;

comment on function app.last_reconcile is 'Returns the latest finished reconciliation, in at most one row.';

grant execute on function app.last_reconcile() to store_admin;
