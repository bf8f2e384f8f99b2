-- Months of the store: bounds, partitions, and the constraint of a closed month.

create or replace function app.month_start(p_month text)
returns date
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_month is null or p_month !~ '^2[0-9]{3}-(0[1-9]|1[0-2])$' then
    perform app.fail('invalid_argument', 'A month is written as 2026-10, between the years 2000 and 3000.');
  end if;
  return (p_month || '-01')::date;
end
$$;

comment on function app.month_start is
  'Returns the first day of a month that is written as YYYY-MM. Raises invalid_argument.';

grant execute on function app.month_start(text) to authenticated, store_admin;

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.day_begins(p_day date)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select app.local_day_begins(p_day, s.time_zone) from app.settings as s);
end
$$;

comment on function app.day_begins is 'Returns when a business day begins, in the time zone of the store.';

grant execute on function app.day_begins(date) to store_admin;

create or replace function app.month_ends(p_month date)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.day_begins((p_month + interval '1 month')::date);
end
$$;

comment on function app.month_ends is 'Returns when a business month ends. p_month is its first day.';

-- Security definer: members may not read closed months, but their statements have the same bounds.
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.month_bounds(p_month date, out begins_at timestamptz, out ends_at timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- The bounds of closed months are final. If the time zone of the store changed since, a gap or an overlap would be
  -- left.
  begins_at := coalesce(
    (select c.begins_at from app.closed_months as c where c.month = p_month),
    (select c.ends_at from app.closed_months as c where c.month = (p_month - interval '1 month')::date),
    app.day_begins(p_month)
  );
  ends_at := coalesce(
    (select c.ends_at from app.closed_months as c where c.month = p_month),
    (select c.begins_at from app.closed_months as c where c.month = (p_month + interval '1 month')::date),
    app.month_ends(p_month)
  );
end
$$;

comment on function app.month_bounds is
  'Returns when a business month begins and ends. A closed month keeps its bounds, and the months beside it follow '
  'them. p_month is its first day.';

grant execute on function app.month_bounds(date) to authenticated, store_admin;

create or replace function app.month_of(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date := date_trunc('month', app.business_day(p_at)::timestamp)::date;
  v_bounds record := app.month_bounds(v_month);
begin
  return case
    when p_at < v_bounds.begins_at then (v_month - interval '1 month')::date
    when p_at >= v_bounds.ends_at then (v_month + interval '1 month')::date
    else v_month
  end;
end
$$;

comment on function app.month_of is
  'Returns the first day of the business month of a point in time (app.month_bounds).';

grant execute on function app.month_of(timestamptz) to authenticated, store_admin;

-- Two index probes for each month, however many rows a month has: in the table, and in the runs of releases, of which
-- no row is needed. PL/pgSQL and a generic query plan: see app.frozen_until.
create or replace function app.months_with_rows(p_uid bigint)
returns setof text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_from timestamptz := '-infinity'::timestamptz;
  v_time timestamptz;
  v_month date;
begin
  loop
    v_time := least(
      (
        select b.add_time from app.user_bill as b where b.uid = p_uid and b.add_time >= v_from order by b.add_time, b.id
        limit 1
      ),
      (
        select greatest(c.first_time, v_from) from app.compacted_releases as c
        where c.uid = p_uid and c.last_time >= v_from and c.first_time > v_from - interval '32 days'
        order by c.first_time limit 1
      )
    );
    exit when v_time is null;
    v_month := app.month_of(v_time);
    return next to_char(v_month, 'YYYY-MM');
    v_from := (app.month_bounds(v_month)).ends_at;
  end loop;
end
$$;

comment on function app.months_with_rows is
  'Returns the business months in which a member has bill rows, as YYYY-MM, the oldest first.';

grant execute on function app.months_with_rows(bigint) to authenticated, store_admin;

create or replace function app.partitions_of(p_from timestamptz, p_to timestamptz)
returns setof regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'app.user_bill_default'::regclass
  union all
  select t.part
  from generate_series(
    date_trunc('month', p_from at time zone 'UTC'), (p_to - interval '1 microsecond') at time zone 'UTC',
    interval '1 month'
  ) as m (month)
  cross join lateral (select to_regclass('app.user_bill_' || to_char(m.month, 'YYYYMM')) as part, m.month) as t
  where t.part is not null
$$;

comment on function app.partitions_of is
  'Returns the partitions of the bill that can hold rows from p_from until before p_to: the default one, and the '
  'months in UTC.';

-- Locks: the row of the run.
create or replace function app.begin_part(p_run bigint, p_part text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set part = p_part where r.id = p_run
$$;

comment on function app.begin_part is 'Records what a run works on from now on.';

create or replace function app.monthly_tables()
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select '{admin_actions, points_release_log, user_bill}'::text[]
$$;

comment on function app.monthly_tables is
  'Returns the names of the tables of schema app that are partitioned by month.';

create or replace function app.name_of_part(p_table text, p_month date)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws('_', p_table, to_char(p_month, 'YYYYMM'))
$$;

comment on function app.name_of_part is 'Returns the name of the partition of a table for a month.';

create or replace function app.month_part(p_table text, p_month date)
returns regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select to_regclass(format('app.%I', app.name_of_part(p_table, p_month)))
$$;

comment on function app.month_part is 'Returns the partition with the rows of a month; null if there is none.';

create or replace function app.part_bounds(p_table text, p_month date, out key text, out lower text, out upper text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    case when d.by_day then 'release_date' else 'add_time' end,
    case when d.by_day then p_month::text else (p_month::timestamp at time zone 'UTC')::text end,
    case
      when d.by_day then (p_month + interval '1 month')::date::text
      else ((p_month + interval '1 month') at time zone 'UTC')::text
    end
  from (select p_table = 'points_release_log' as by_day) as d
$$;

comment on function app.part_bounds is
  'Returns the column by which a table is partitioned, and the bounds of a month (upper excluded): of days for the '
  'release log, otherwise in UTC.';

-- In the order in which writers lock these tables, and in the mode that is needed: upgrading a lock later can deadlock.
-- The caller sets a lock timeout that is shorter than deadlock_timeout, so a conflict ends with a retry and not with a
-- deadlock error.
-- Locks: the referenced tables.
create or replace function app.lock_for_partition(p_parent regclass, p_blocks_readers boolean)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass;
begin
  for v_table in
    select t.oid::regclass
    from (
      select distinct c.confrelid as oid from pg_constraint as c where c.conrelid = p_parent and c.contype = 'f'
    ) as t
    order by t.oid desc
  loop
    if p_blocks_readers then
      execute format('lock table %s in access exclusive mode', v_table);
    else
      execute format('lock table %s in share row exclusive mode', v_table);
    end if;
  end loop;
end
$$;

comment on function app.lock_for_partition is
  'Locks the tables that the foreign keys of a partitioned table reference, before a partition is attached or '
  'detached. Attaching one with foreign keys of its own needs p_blocks_readers.';

-- The check constraints of closed months call it, so that the error has a code of the store. Postgres would evaluate an
-- immutable function with constant arguments in advance, so it is stable.
create or replace function app.reject_late_row(p_month text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('month_closed', format('The month %s is closed. No bill row can be dated into it.', p_month));
  return false;
end
$$;

comment on function app.reject_late_row is 'Raises month_closed for a bill row that is dated into a closed month.';

-- The constraint is added as not valid: Postgres checks new rows, but does not read those that the month has.
-- Locks: the partition. The caller sets the lock timeout.
-- Idempotent: a partition that has the constraint is left as it is.
create or replace function app.forbid_late_rows(
  p_partition regclass, p_month date, p_begins_at timestamptz, p_ends_at timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := to_char(p_month, '"month_"YYYY_MM"_is_closed"');
begin
  if exists (select from pg_constraint as c where c.conrelid = p_partition and c.conname = v_name) then
    return;
  end if;
  execute format(
    'alter table %s add constraint %I check (add_time < %L or add_time >= %L or app.reject_late_row(%L)) not valid',
    p_partition, v_name, p_begins_at, p_ends_at, to_char(p_month, 'YYYY-MM')
  );
end
$$;

comment on function app.forbid_late_rows is
  'Adds to a partition of the bill the check constraint that rejects rows of a closed month.';

create or replace function app.forbid_late_rows_of(p_partition regclass, p_month date)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.forbid_late_rows(p_partition, c.month, c.begins_at, c.ends_at)
  from app.closed_months as c
  where c.begins_at < (p_month + interval '1 month') at time zone 'UTC'
    and c.ends_at > p_month::timestamp at time zone 'UTC'
$$;

comment on function app.forbid_late_rows_of is
  'Adds to a partition of the bill, of a month in UTC, the constraints of all closed months with days in it '
  '(app.forbid_late_rows).';

-- The check constraint proves to Postgres that the rows are of the month, so that it need not read them under a lock
-- when the table is attached.
create or replace function app.create_month_table(p_table text, p_month date, p_schema text, p_name text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  execute format('create table %I.%I (like app.%I including all)', p_schema, p_name, p_table);
  execute format('alter table %I.%I enable row level security', p_schema, p_name);
  execute format(
    'create trigger it_is_never_emptied before truncate on %I.%I for each statement execute function app.reject_change()',
    p_schema, p_name
  );
  execute format(
    'alter table %I.%I add constraint it_is_in_its_month check (%I >= %L and %I < %L)', p_schema, p_name, v_bounds.key,
    v_bounds.lower, v_bounds.key, v_bounds.upper
  );
end
$$;

comment on function app.create_month_table is
  'Creates an empty table for a month, with row-level security, that can be attached.';

-- The partition is created as a separate table and then attached, so that the parent is never locked against readers or
-- writers; the tables that its foreign keys reference are locked against writers for a moment. Attaching adds the
-- foreign keys. If the new table already had them, attaching would lock the referenced tables against readers, too. The
-- lock timeout is shorter than deadlock_timeout, so a conflict ends with a retry and not with a deadlock error.
-- Locks: the referenced tables, the default partition, the parent.
-- Idempotent: an existing partition is left as it is, and so is a month of the action log that was dropped.
create or replace function app.create_month_partition(p_table text, p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_parent regclass := format('app.%I', p_table)::regclass;
  v_name text := app.name_of_part(p_table, p_month);
  v_bounds record := app.part_bounds(p_table, p_month);
begin
  if to_regclass(format('app.%I', v_name)) is not null
    or (p_table = 'admin_actions' and p_month::timestamp at time zone 'UTC' < app.actions_dropped_until()) then
    return true;
  end if;
  perform app.lock_for_partition(v_parent, false);
  execute format('lock table app.%I in access exclusive mode', p_table || '_default');
  perform app.create_month_table(p_table, p_month, 'app', v_name);
  if p_table = 'user_bill' then
    perform app.forbid_late_rows_of(format('app.%I', v_name)::regclass, p_month);
  end if;
  execute format(
    'alter table %s attach partition app.%I for values from (%L) to (%L)', v_parent, v_name, v_bounds.lower,
    v_bounds.upper
  );
  return true;
exception
  when lock_not_available then
    return false;
  when check_violation then
    raise notice 'app.% stays in the default partition', v_name;
    return true;
end
$$;

comment on function app.create_month_partition is
  'Creates the partition of a table for a month in UTC and returns whether that is done; false if a lock was not '
  'available within 0.1 seconds. A month with rows in the default partition stays there, with a notice.';

-- Each partition is created in its own transaction and retried while other transactions hold its locks, so that no
-- writer waits long.
-- Idempotent: existing partitions are left as they are.
create or replace procedure app.ensure_month_partitions(p_from date, p_to date)
language plpgsql
as $$
declare
  v_run record;
  v_month pg_catalog.date;
  v_table pg_catalog.text;
  v_is_done boolean;
begin
  if p_from is null or p_to is null or p_from not between '2000-01-01' and '2999-12-31'
    or p_to not between '2000-01-01' and '2999-12-31' then
    perform app.fail('invalid_argument', 'Partitions are made for months between the years 2000 and 3000.');
  elsif p_to - p_from > 3660 then
    perform app.fail('invalid_argument', 'Partitions are made for at most ten years at a time.');
  end if;
  v_run := app.begin_run('ensure_month_partitions', 1, p_from, p_to);
  commit;
  v_month := pg_catalog.date_trunc('month', p_from::pg_catalog.timestamp)::pg_catalog.date;
  while v_month <= p_to loop
    foreach v_table in array app.monthly_tables() loop
      for v_try in 1..100 loop
        v_is_done := app.create_month_partition(v_table, v_month);
        perform app.end_batch(v_run.id);
        commit;
        exit when v_is_done;
        -- A random pause, so that retries do not coincide with a writer that returns at regular intervals.
        perform pg_catalog.pg_sleep(0.1 + 0.2 * pg_catalog.random());
      end loop;
      if not v_is_done then
        raise lock_not_available using message = pg_catalog.format(
          'no lock for the partition of app.%s for %s', v_table, v_month
        );
      end if;
    end loop;
    v_month := (v_month + interval '1 month')::pg_catalog.date;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.ensure_month_partitions is
  'Creates the partitions of app.monthly_tables for every month from p_from to p_to, at most ten years '
  '(app.create_month_partition), with a commit each. Raises lock_not_available after 100 attempts.';
