-- Compacting the releases of sealed months. Each step is a transaction: what is cut leaves what the step before it
-- left, and the next call goes on from there.

create or replace function app.built_part(p_table text, p_month date, p_what text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws('_', app.name_of_part(p_table, p_month), p_what)
$$;

comment on function app.built_part is
  'Returns the name of a table of a month in schema compacted: original, rest (without the compacted releases), runs '
  'or whole.';

-- Independent of the sequence of the rows. The settings make the text of a row the same in every session.
create or replace function app.digest_of_rows(p_query text, out row_count bigint, out digest numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
set datestyle = 'ISO'
set jit = off
as $$
begin
  execute format('select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from (%s) as t', p_query)
    into row_count, digest;
end
$$;

comment on function app.digest_of_rows is
  'Returns the number of rows of a query, and a digest that changes with every value of them. The digests of two '
  'parts add up.';

create or replace function app.compaction_obstacle(p_month date, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_unreleased date;
begin
  if app.month_part('user_bill', p_month) is null or app.month_part('points_release_log', p_month) is null then
    return 'the bill or the release log has no partition of it';
  elsif not exists (select from app.month_seals as s where s.month = p_month) then
    return 'it is not sealed';
  elsif (p_month + interval '1 month') at time zone 'UTC' > p_now - interval '1 day' then
    return 'it ended less than a day ago';
  end if;
  v_unreleased := (select min(u.day) from app.unreleased_days((p_month + interval '1 month')::date - 1) as u (day));
  return case when v_unreleased is not null then format('the release of %s is not finished', v_unreleased) end;
end
$$;

comment on function app.compaction_obstacle is
  'Returns why the releases of a month cannot be compacted, or null if they can.';

create or replace function app.original_days()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 14
$$;

comment on function app.original_days is
  'Returns for how many days schema compacted keeps the original rows of a compacted month.';

-- Locks: app.compacted_months, which nothing else locks for long.
create or replace function app.lock_compaction()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  lock table app.compacted_months in share row exclusive mode;
end
$$;

comment on function app.lock_compaction is 'Lets one transaction at a time compact or expand months.';

-- From here on, the month takes no more rows, neither of the bill nor of the release log, until it is expanded: not
-- even a release of a day on which nobody was released.
-- Locks: app.lock_compaction; the bill and the release log, the partitions.
-- Idempotent: a month that is prepared is left as it is.
create or replace function app.prepare_compaction(p_month date, p_now timestamptz default clock_timestamp())
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_obstacle text;
  v_table text;
begin
  perform app.lock_compaction();
  if exists (select from app.compacted_months as c where c.month = p_month) then
    return false;
  end if;
  v_obstacle := app.compaction_obstacle(p_month, p_now);
  if v_obstacle is not null then
    perform app.fail(
      'invalid_argument', format('The releases of %s cannot be compacted: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle)
    );
  end if;
  for v_try in 1..40 loop
    begin
      -- A late release holds them until its record is committed (app.reject_compacted_release).
      lock table only app.user_bill, only app.points_release_log in access exclusive mode;
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        execute format(
          'alter table app.%I add constraint it_takes_no_more_rows check (app.reject_late_row(%L)) not valid',
          app.name_of_part(v_table, p_month), to_char(p_month, 'YYYY-MM')
        );
      end loop;
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
  v_obstacle := app.compaction_obstacle(p_month, p_now);
  if v_obstacle is not null then
    perform app.fail(
      'invalid_argument', format('The releases of %s cannot be compacted: %s.', to_char(p_month, 'YYYY-MM'), v_obstacle)
    );
  end if;
  insert into app.compacted_months (month) values (p_month);
  return true;
end
$$;

comment on function app.prepare_compaction is
  'The first step of compacting a month: lets it take no more rows. Returns false if it was prepared before. Raises '
  'invalid_argument if something prevents it (app.compaction_obstacle).';

-- Like the partition in all but its rows, and the foreign keys, which are checked in a step of their own.
create or replace function app.create_part(p_table text, p_month date, p_what text)
returns text
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := app.built_part(p_table, p_month, p_what);
begin
  perform app.create_month_table(p_table, p_month, 'compacted', v_name);
  return format('compacted.%I', v_name);
end
$$;

comment on function app.create_part is
  'Creates an empty table in schema compacted that can become the partition of a month, and returns its name.';

-- Locks: the tables that the foreign keys reference, against writers, until the end of the transaction.
create or replace function app.constrain_part(p_table text, p_month date, p_what text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := format('compacted.%I', app.built_part(p_table, p_month, p_what));
  v_constraint record;
begin
  for v_constraint in
    select c.conname as name,
      pg_get_constraintdef(c.oid) || case when c.contype = 'f' then ' not valid' else '' end as definition
    from pg_constraint as c
    where c.conrelid = app.month_part(p_table, p_month) and c.contype in ('c', 'f')
      and (p_what = 'rest' or c.conname <> 'it_takes_no_more_rows')
      and not exists (select from pg_constraint as o where o.conrelid = v_name::regclass and o.conname = c.conname)
    order by c.conname
  loop
    execute format('alter table %s add constraint %I %s', v_name, v_constraint.name, v_constraint.definition);
  end loop;
  execute format('analyze %s', v_name);
end
$$;

comment on function app.constrain_part is
  'Gives a table of app.create_part the constraints of the present partition; its foreign keys are not validated.';

-- A release follows from the one before if it is of the next business day, nothing else changed a balance between them,
-- and ids and times fit into a step.
-- Locks: nothing.
create or replace function app.build_runs(p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  execute format($sql$
    insert into compacted.%I (
      uid, first_time, last_time, bill_id, log_id, first_day, brokerage, frozen_before, available_before, frozen_after,
      steps
    )
    with releases as (
      select
        l.uid, l.release_date as day, b.add_time, b.id as bill_id, l.id as log_id, b.brokerage_after as brokerage,
        l.frozen_before, l.frozen_after,
        b.available_after - b.available_delta as available_before, b.available_after
      from %s as b join %s as l on l.uid = b.uid and l.add_time = b.add_time and l.frozen_after = b.frozen_after
      where b.source = 'release' and b.add_time >= $1 and b.add_time < $2
        and l.release_points = app.release_amount(l.frozen_before) and b.available_delta = l.release_points
        and (b.basis, b.rate) = (l.frozen_before, app.release_rate()) and num_nonnulls(b.agent_level, b.passed_on) = 0
        and abs(l.release_date - (b.add_time at time zone 'UTC')::date) <= 1
    ), steps as (
      select r.*, r.bill_id - lag(r.bill_id) over w as bill_step, r.log_id - lag(r.log_id) over w as log_step,
        (extract(epoch from r.add_time - lag(r.add_time) over w) * 1000000)::bigint - 86400000000 as time_step,
        (r.day - 1, r.brokerage, r.frozen_before, r.available_before)
          = (
            lag(r.day) over w, lag(r.brokerage) over w, lag(r.frozen_after) over w, lag(r.available_after) over w
          ) as is_next
      from releases as r
      window w as (partition by r.uid order by r.add_time, r.bill_id)
    ), followed as (
      select s.*,
        coalesce(
          s.is_next and greatest(abs(s.bill_step), abs(s.log_step), abs(s.time_step)) <= 2147483647, false
        ) as follows
      from steps as s
    ), numbered as (
      select f.*, count(*) filter (where not f.follows) over (partition by f.uid order by f.add_time, f.bill_id) as run
      from followed as f
    )
    select
      n.uid, min(n.add_time), max(n.add_time), min(n.bill_id) filter (where not n.follows),
      min(n.log_id) filter (where not n.follows), min(n.day), min(n.brokerage),
      max(n.frozen_before), min(n.available_before), min(n.frozen_after),
      coalesce(
        array_agg(array[n.bill_step, n.log_step, n.time_step]::integer[] order by n.day) filter (where n.follows), '{}'
      )
    from numbered as n
    group by n.uid, n.run
    order by n.uid, n.run
  $sql$, app.built_part('compacted_releases', p_month, 'runs'), app.month_part('user_bill', p_month),
  app.month_part('points_release_log', p_month))
  using (app.month_bounds(p_month)).begins_at, (app.month_bounds(p_month)).ends_at;
end
$$;

comment on function app.build_runs is
  'Fills the runs of a month from its releases that are dated in it and have the amount of the rule.';

create or replace function app.expanded_query(p_table text, p_month date)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select format(
    'select r.* from %s as c cross join lateral app.%I(row(c.*)::app.compacted_releases) as r',
    coalesce(
      app.month_part('compacted_releases', p_month)::text,
      format('compacted.%I', app.built_part('compacted_releases', p_month, 'runs'))
    ),
    case p_table when 'user_bill' then 'bill_of_run' else 'log_of_run' end
  )
$$;

comment on function app.expanded_query is
  'Returns the query for the rows of the bill or the release log that stand in the runs of a month.';

-- Locks: app.lock_compaction; the tables that the foreign keys reference, against writers, for a moment at the end.
-- Idempotent: what is built is left as it is.
create or replace function app.build_compaction(p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_runs text := format('compacted.%I', app.built_part('compacted_releases', p_month, 'runs'));
  v_rest text;
  v_table text;
  v_before record;
  v_rest_digest record;
  v_expanded record;
  v_bounds record := app.part_bounds('user_bill', p_month);
begin
  perform app.lock_compaction();
  if not exists (select from app.compacted_months as c where c.month = p_month and c.state = 'prepared') then
    return false;
  end if;
  execute format('create table %s (like app.compacted_releases including all)', v_runs);
  execute format('alter table %s enable row level security', v_runs);
  -- Named as that of app.compacted_releases, which partitions do not inherit.
  execute format(
    'create trigger compacted_releases_are_never_emptied before truncate on %s for each statement execute function app.reject_change()',
    v_runs
  );
  perform app.build_runs(p_month);
  execute format(
    'alter table %s add constraint it_is_in_its_month check (first_time >= %L and first_time < %L)', v_runs,
    v_bounds.lower, v_bounds.upper
  );
  execute format('analyze %s', v_runs);
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    v_rest := app.create_part(v_table, p_month, 'rest');
    execute format(
      'insert into %s select t.* from %s as t where not exists (select from (%s) as r where r.id = t.id and r.add_time = t.add_time) order by t.add_time, t.id',
      v_rest, app.month_part(v_table, p_month), app.expanded_query(v_table, p_month)
    );
    v_before := app.digest_of_rows(format('select * from %s', app.month_part(v_table, p_month)));
    v_rest_digest := app.digest_of_rows(format('select * from %s', v_rest));
    v_expanded := app.digest_of_rows(app.expanded_query(v_table, p_month));
    if (v_before.row_count, v_before.digest) <> (
      v_rest_digest.row_count + v_expanded.row_count, v_rest_digest.digest + v_expanded.digest
    ) then
      raise exception using errcode = 'data_corrupted', message = format(
        'The compacted month %s of app.%I is not what it was: %s rows before, %s and %s now',
        to_char(p_month, 'YYYY-MM'), v_table, v_before.row_count,
        v_rest_digest.row_count, v_expanded.row_count
      );
    end if;
    if v_table = 'user_bill' then
      update app.compacted_months as c set bill_rows = v_before.row_count, bill_digest = v_before.digest
      where c.month = p_month;
    else
      update app.compacted_months as c set log_rows = v_before.row_count, log_digest = v_before.digest,
        releases = v_expanded.row_count
      where c.month = p_month;
    end if;
  end loop;
  execute format($sql$
    update app.compacted_months as c
    set state = 'built', runs = (select count(*) from %s), first_bill_id = i.first, last_bill_id = i.last,
      kept = k.number, first_kept = k.first
    from (select min(r.id) as first, max(r.id) as last from (%s) as r) as i, (
      select count(*) as number, min(b.id) as first
      from compacted.%I as b
      join compacted.%I as l on l.uid = b.uid and l.add_time = b.add_time and l.frozen_after = b.frozen_after
      where b.source = 'release'
    ) as k
    where c.month = $1
  $sql$, v_runs, app.expanded_query('user_bill', p_month), app.built_part('user_bill', p_month, 'rest'),
  app.built_part('points_release_log', p_month, 'rest')) using p_month;
  perform app.constrain_part('points_release_log', p_month, 'rest');
  perform app.constrain_part('user_bill', p_month, 'rest');
  return true;
end
$$;

comment on function app.build_compaction is
  'The second step: builds the runs of a month and the rest of its bill and release log beside it. Returns false if '
  'it is not prepared, or was built before. Raises data_corrupted if rows differ from the originals.';

-- A transaction that began before the tables were committed would see them without rows once they are partitions.
-- Locks: the tables, against changes of their structure.
-- Idempotent: what is checked is checked again.
create or replace function app.check_parts(p_month date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_constraint record;
begin
  for v_constraint in
    select c.conrelid::regclass as part, c.conname as name
    from app.compacted_months as m
    cross join unnest('{points_release_log, user_bill}'::text[]) as t (name)
    join pg_constraint as c
      on c.conrelid = to_regclass(
        format(
          'compacted.%I',
          app.built_part(t.name, p_month, case m.state when 'built' then 'rest' when 'expanding' then 'whole' end)
        )
      )
    where m.month = p_month and c.contype = 'f' and not c.convalidated
    order by t.name, c.conname
  loop
    execute format('alter table %s validate constraint %I', v_constraint.part, v_constraint.name);
  end loop;
  update app.compacted_months as c set checked_at = clock_timestamp() where c.month = p_month and c.checked_at is null;
end
$$;

comment on function app.check_parts is
  'A step of compacting and of expanding a month: validates the foreign keys of what was built, and records by when '
  'it was committed.';

create or replace function app.has_older_transaction(p_at timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- As in app.has_long_reader.
  perform pg_stat_clear_snapshot();
  return exists (
    select from pg_stat_activity as a
    where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
      and a.xact_start <= p_at
  );
end
$$;

comment on function app.has_older_transaction is 'Returns whether another transaction began at p_at or before.';

-- What is slow was done before. A lock that is not free within 0.1 seconds ends the attempt, and the next one begins
-- after a random pause.
-- Locks: app.compacted_releases; the tables that the rows reference; the bill and the release log with their default
-- partitions.
create or replace function app.exchange_parts(p_month date, p_in text, p_out text, p_runs_in boolean)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_checked_at timestamptz := (select c.checked_at from app.compacted_months as c where c.month = p_month);
  v_runs text := app.name_of_part('compacted_releases', p_month);
  v_table text;
  v_part text;
  v_bounds record;
begin
  for v_try in 1..40 loop
    begin
      if app.has_older_transaction(v_checked_at) then
        raise lock_not_available using message = format(
          'a transaction that began before %s goes on', app.utc(v_checked_at)
        );
      end if;
      lock table only app.compacted_releases in access exclusive mode;
      foreach v_table in array '{points_release_log, user_bill}'::text[] loop
        v_part := app.name_of_part(v_table, p_month);
        v_bounds := app.part_bounds(v_table, p_month);
        perform app.lock_for_partition(format('app.%I', v_table)::regclass, true);
        execute format('lock table only app.%I, only app.%I in access exclusive mode', v_table, v_table || '_default');
        execute format('alter table app.%I detach partition app.%I', v_table, v_part);
        execute format('alter table app.%I rename to %I', v_part, v_part || '_' || p_out);
        execute format('alter table app.%I set schema compacted', v_part || '_' || p_out);
        execute format('alter table compacted.%I rename to %I', v_part || '_' || p_in, v_part);
        execute format('alter table compacted.%I set schema app', v_part);
        if v_table = 'user_bill' then
          -- A month that has days in it may have been closed since it was built.
          perform app.forbid_late_rows_of(format('app.%I', v_part)::regclass, p_month);
        end if;
        execute format(
          'alter table app.%I attach partition app.%I for values from (%L) to (%L)', v_table, v_part, v_bounds.lower,
          v_bounds.upper
        );
      end loop;
      v_bounds := app.part_bounds('user_bill', p_month);
      if p_runs_in then
        execute format('alter table compacted.%I rename to %I', v_runs || '_runs', v_runs);
        execute format('alter table compacted.%I set schema app', v_runs);
        execute format(
          'alter table app.compacted_releases attach partition app.%I for values from (%L) to (%L)', v_runs,
          v_bounds.lower, v_bounds.upper
        );
      else
        execute format('alter table app.compacted_releases detach partition app.%I', v_runs);
        execute format('drop table app.%I', v_runs);
      end if;
      exit;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$$;

comment on function app.exchange_parts is
  'Exchanges the partitions of a month for those that were built, attaches its runs or drops them, and moves the '
  'former partitions to schema compacted. Raises lock_not_available, also while a transaction goes on that began '
  'before the new ones were committed.';

-- Locks: app.lock_compaction; see app.exchange_parts.
-- Idempotent: a compacted month is left as it is.
create or replace function app.exchange_compacted(p_month date, p_now timestamptz default clock_timestamp())
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  perform app.lock_compaction();
  if not exists (select from app.compacted_months as c where c.month = p_month and c.state = 'built') then
    return false;
  end if;
  perform app.exchange_parts(p_month, 'rest', 'original', true);
  foreach v_table in array '{points_release_log, user_bill}'::text[] loop
    execute format(
      'create trigger originals_are_never_changed before update or delete on compacted.%I for each row execute function app.reject_change()',
      app.built_part(v_table, p_month, 'original')
    );
  end loop;
  update app.compacted_months as c set state = 'compacted', compacted_at = p_now where c.month = p_month;
  perform app.record_action('compact_month', 'month', to_char(p_month, 'YYYY-MM'), null, (
    select jsonb_build_object('releases', c.releases, 'runs', c.runs, 'kept', c.kept) from app.compacted_months as c
    where c.month = p_month
  ));
  return true;
end
$$;

comment on function app.exchange_compacted is
  'The last step: lets the runs take the place of the releases, whose partitions stay for app.original_days() in '
  'schema compacted. Returns false if the month is not built, or was compacted before.';

-- Idempotent, also when it runs concurrently: each step is.
create or replace procedure app.compact_month(p_month date)
language plpgsql
as $$
begin
  perform app.prepare_compaction(p_month);
  commit;
  perform app.build_compaction(p_month);
  commit;
  perform app.check_parts(p_month);
  commit;
  perform app.exchange_compacted(p_month);
  commit;
end
$$;

comment on procedure app.compact_month is
  'Compacts the releases of a sealed month, whose first day is p_month, in steps with a commit each. Raises '
  'invalid_argument if something prevents it (app.compaction_obstacle).';
