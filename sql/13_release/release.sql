-- The daily release: which days are missing, which members, and one batch after the other.

create or replace function app.unreleased_days(p_until date)
returns setof date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select d.day
  from (
    select g.day::date from generate_series(
      (select min(r.release_date) from app.release_runs as r where not r.is_named_only)::timestamp, p_until::timestamp,
      interval '1 day'
    ) as g (day)
    union
    select r.release_date from app.release_runs as r where r.release_date <= p_until
  ) as d (day)
  where not exists (select from app.release_runs as r where r.release_date = d.day and r.finished_at is not null)
$$;

comment on function app.unreleased_days is
  'Returns the business days up to p_until that the next daily run releases late: every unfinished day, and every day '
  'missed since the first run that named no day.';

-- A day more than a year ago whose release never began is rejected, because it is probably a mistake.
create or replace function app.days_to_release(p_business_day date, p_today date)
returns date[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_business_day > p_today then
    perform app.fail(
      'invalid_argument', format('Business day %s has not come yet; today is %s.', p_business_day, p_today)
    );
  elsif p_business_day < p_today - 366
    and not exists (select from app.release_runs as r where r.release_date = p_business_day) then
    perform app.fail('invalid_argument', format('Business day %s is more than a year ago.', p_business_day));
  end if;
  return array(
    select d.day
    from (
      select p_business_day as day where p_business_day is not null
      union
      select u.day from app.unreleased_days(p_today) as u (day) where p_business_day is null
      union
      -- The first run that names no day.
      select p_today
      where p_business_day is null and not exists (select from app.release_runs as r where not r.is_named_only)
    ) as d
    where not exists (select from app.release_runs as r where r.release_date = d.day and r.finished_at is not null)
    order by d.day
  );
end
$$;

comment on function app.days_to_release is
  'Returns the unfinished business days to release, oldest first: p_business_day or, if it is null, today and '
  'app.unreleased_days. Raises invalid_argument for a day to come, and one over a year ago that never began.';

create or replace function app.release_until(p_release_date date)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.local_day_begins(p_release_date + 1, s.time_zone) from app.settings as s
$$;

comment on function app.release_until is 'Returns the end of a business day in the time zone of the store.';

-- Locks: the bill and the release log, as every read of them does. No month is compacted before the caller has recorded
-- its release.
create or replace function app.reject_compacted_release(p_business_day date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  lock table only app.user_bill, only app.points_release_log in access share mode;
  if exists (
    select from app.compacted_months as c where c.month = date_trunc('month', p_business_day::timestamp)::date
  ) then
    perform app.fail('month_compacted', format('The releases of the month of %s are compacted.', p_business_day));
  end if;
end
$$;

comment on function app.reject_compacted_release is
  'Raises month_compacted if the releases of the month of a business day are compacted. Null is never rejected.';

-- Walks the primary key, so that a chunk costs the same whatever the size of the table.
-- PL/pgSQL with a generic query plan, like all of a chunk, so that it is planned once in a session (decision 0007).
create or replace function app.release_candidates(
  p_release_date date, p_after_uid bigint, p_limit integer, p_last_uid bigint default 9223372036854775807
)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- The plan is made before anybody is released. With a scan of the empty log, it would read all of it for each member
-- once it fills.
set enable_seqscan = off
as $$
begin
  return array(
    select b.uid
    from app.user_balances as b
    where b.uid > p_after_uid and b.uid <= p_last_uid and app.release_amount(b.frozen_points) > 0
      -- With `offset 0`, it is no join but one lookup in the log for each member. A join would look up the day and
      -- compare all of its releases with each member if it was planned while the log of the month was empty. A day that
      -- is released is still in the table.
      and not exists (
        select from app.points_release_log as l where l.uid = b.uid and l.release_date = p_release_date offset 0
      )
    order by b.uid
    limit p_limit
  );
end
$$;

comment on function app.release_candidates is
  'Returns the uids of the next p_limit members after p_after_uid, up to p_last_uid, who have something to release and '
  'no release of that day yet.';

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007). A generic query plan, because
-- choosing the partitions for every call takes longer.
create or replace function app.frozen_until(p_uid bigint, p_until timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
as $$
declare
  v_from timestamptz;
  v_frozen numeric;
begin
  for v_from in select s.at from app.steps_back('-infinity', p_until) as s (at) order by s.at desc loop
    v_frozen := (
      select b.frozen_after from app.bill(v_from, p_until) as b
      where b.uid = p_uid
      order by b.add_time desc, b.id desc
      limit 1
    );
    exit when v_frozen is not null;
  end loop;
  return coalesce(v_frozen, 0);
end
$$;

comment on function app.frozen_until is
  'Returns the frozen points that a member had at p_until; 0 without a bill row before it.';

-- Locks: balances by uid, skipping those that are locked.
-- Idempotent: everyone who releases a member holds the lock, so a release that was committed before is seen after it.
-- The primary key of the log would reject a second one.
create or replace function app.release_members(
  p_release_date date, p_uids bigint[], p_now timestamptz, p_until timestamptz default null,
  out users integer, out points numeric, out skipped bigint[]
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- With a nested loop, each member costs one lookup. The plan is made before anybody is released, as that of
-- release_candidates.
set enable_mergejoin = off
set enable_hashjoin = off
set enable_seqscan = off
as $$
declare
  v_uids bigint[];
  v_frozen numeric[];
  v_now timestamptz;
  v_is_late boolean;
begin
  select array_agg(l.uid order by l.uid), array_agg(l.frozen_points order by l.uid) into v_uids, v_frozen
  from (
    select b.uid, b.frozen_points from app.user_balances as b where b.uid = any (p_uids) order by b.uid
    for update skip locked
  ) as l;
  skipped := '{}';
  if cardinality(v_uids) is distinct from cardinality(p_uids) then
    skipped := array(
      select c.uid from unnest(p_uids) as c (uid) except select l.uid from unnest(v_uids) as l (uid) order by 1
    );
  end if;
  -- After the lock, so that the rows of a member are dated in the order in which they are booked.
  v_now := coalesce(p_now, clock_timestamp());
  v_is_late := v_now >= p_until;

  -- Materialized, so that the balance at p_until and the amount are computed once for each member.
  with due as materialized (
    select l.uid, l.frozen_points,
      case
        when v_is_late then least(l.frozen_points, app.frozen_until(l.uid, p_until))
        else l.frozen_points
      end as basis
    from unnest(v_uids, v_frozen) as l (uid, frozen_points)
    -- Of the table, as in app.release_candidates.
    where l.uid not in (
      select g.uid from app.points_release_log as g where g.uid = any (v_uids) and g.release_date = p_release_date
    )
      and l.uid not in (select u.uid from app.users as u where u.uid = any (v_uids) and u.left_at is not null)
  ),
  amounts as materialized (select d.uid, d.frozen_points, d.basis, app.release_amount(d.basis) as amount from due as d),
  moved as (
    update app.user_balances as b
    set frozen_points = b.frozen_points - a.amount, available_points = b.available_points + a.amount
    from amounts as a
    where b.uid = a.uid and a.amount > 0
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points, a.frozen_points as frozen_before, a.basis,
      a.amount
  ),
  logged as (
    insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
    select m.uid, p_release_date, m.frozen_before, m.amount, m.frozen_points, v_now from moved as m order by m.uid
  ),
  billed as (
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate,
      add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -m.amount, m.amount, m.brokerage_price, m.frozen_points,
      m.available_points, m.basis,
      app.release_rate(), v_now
    from moved as m
    order by m.uid
  )
  select count(*)::integer, coalesce(sum(m.amount), 0) into users, points from moved as m;
end
$$;

comment on function app.release_members is
  'Releases the frozen points of these members for one business day (R11), except of who has left. Returns the number '
  'of members, the sum of the points, and the members skipped because their rows are locked. After p_until, the end of '
  'the day, the base is the smaller of the balances then and now.';

-- Locks: the row of the run.
-- A retry counts the failure again; end_release then sets the final count.
create or replace function app.note_release_failure(p_release_date date, p_uid bigint, p_error text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_runs as r
  set failures = r.failures + 1, last_error = left(format('uid %s: %s', p_uid, p_error), 500)
  where r.release_date = p_release_date and r.finished_at is null
$$;

comment on function app.note_release_failure is
  'Records in the run of a business day that the release of one member failed, with the error.';

-- Locks: for a missed day, the bill, as every read of it does (app.frozen_until); balances by uid, skipping those that
-- are locked, then the range or the row of the run.
-- Idempotent: see release_members.
-- Sessions that added to one row would wait for the commits of each other, so each range has sums of its own.
create or replace function app.release_chunk(
  p_release_date date, p_uids bigint[], p_now timestamptz, p_until timestamptz default null,
  p_range bigint default null,
  out failures integer, out skipped bigint[]
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_done record;
  v_uid bigint;
begin
  failures := 0;
  skipped := '{}';
  begin
    if p_until is not null then
      lock table only app.user_bill in access share mode;
    end if;
    v_done := app.release_members(p_release_date, p_uids, p_now, p_until);
    if p_range is null then
      update app.release_runs as r set users = r.users + v_done.users, points = r.points + v_done.points
      where r.release_date = p_release_date;
    else
      update app.release_ranges as g set users = g.users + v_done.users, points = g.points + v_done.points
      where g.release_date = p_release_date and g.last_uid = p_range;
    end if;
    skipped := v_done.skipped;
    return;
  exception when others then
    if cardinality(p_uids) = 1 then
      perform app.note_release_failure(p_release_date, p_uids[1], format('%s: %s', sqlstate, sqlerrm));
      failures := 1;
      return;
    end if;
  end;
  foreach v_uid in array p_uids loop
    v_done := app.release_chunk(p_release_date, array[v_uid], p_now, p_until, p_range);
    failures := failures + v_done.failures;
    skipped := skipped || v_done.skipped;
  end loop;
end
$$;

comment on function app.release_chunk is
  'Releases the points of a chunk of members and adds the result to the run, or to the range that ends with uid '
  'p_range. One failure stops no other member. Returns the number of failures, and the members whose rows are locked.';

-- Locks: the balance.
create or replace function app.wait_for_balance(p_uid bigint)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  perform app.lock_balances(array[p_uid]);
  return true;
exception when lock_not_available then
  return false;
end
$$;

comment on function app.wait_for_balance is
  'Locks a member''s balance, waiting at most ten seconds, and returns whether it got the lock.';

-- Members whose rows are locked are retried after all others, so that neither the release nor a settlement waits for
-- the other. After 20 retries the procedure waits for the remaining rows one by one; a member whose row stays locked is
-- a failure. The position of a range stays before the first member who is left. Whoever continues the range finds those
-- after them released. The row of the run is written for the first batch and then for a hundred at a time: beside an
-- old snapshot, each read of it passes all of its versions. Idempotent, also when it runs concurrently: the log has one
-- row per member and day.
create or replace procedure app.visit_members(
  p_release_date date, p_range app.release_ranges, p_now timestamptz, p_run bigint, inout p_batch integer,
  inout p_waits boolean, inout p_failures integer
)
language plpgsql
as $$
declare
  v_until pg_catalog.timestamptz := app.release_until(p_release_date);
  v_uid bigint;
  v_uids bigint[] := array[coalesce(p_range.after_uid, 0)];
  v_skipped bigint[] := array[]::bigint[];
  v_again bigint[];
  v_done record;
  v_batches integer := 0;
  v_counted integer := 0;
begin
  p_failures := 0;
  loop
    v_uids := app.release_candidates(
      p_release_date, v_uids[pg_catalog.cardinality(v_uids)], p_batch, coalesce(p_range.last_uid, 9223372036854775807)
    );
    exit when pg_catalog.cardinality(v_uids) = 0;
    v_done := app.release_chunk(p_release_date, v_uids, p_now, v_until, p_range.last_uid);
    p_failures := p_failures + v_done.failures;
    v_skipped := v_skipped || v_done.skipped;
    perform app.advance_range(p_release_date, p_range.last_uid, v_uids[pg_catalog.cardinality(v_uids)])
    where p_range.last_uid is not null and p_failures = 0 and pg_catalog.cardinality(v_skipped) = 0;
    v_batches := v_batches + 1;
    if v_counted = 0 or v_batches - v_counted = 100 then
      p_batch := app.end_batch(p_run, v_batches - v_counted);
      v_counted := v_batches;
    end if;
    commit;
  end loop;
  perform app.end_batch(p_run, v_batches - v_counted) where v_batches > v_counted;

  for v_try in 1..20 loop
    exit when pg_catalog.cardinality(v_skipped) = 0;
    perform pg_catalog.pg_sleep(0.02) where v_try > 1;
    v_again := '{}';
    while pg_catalog.cardinality(v_skipped) > 0 loop
      v_done := app.release_chunk(p_release_date, v_skipped[1:p_batch], p_now, v_until, p_range.last_uid);
      p_failures := p_failures + v_done.failures;
      v_again := v_again || v_done.skipped;
      v_skipped := v_skipped[p_batch + 1:];
      p_batch := app.end_batch(p_run);
      commit;
    end loop;
    v_skipped := v_again;
  end loop;

  foreach v_uid in array v_skipped loop
    p_waits := p_waits and app.wait_for_balance(v_uid);
    v_done := app.release_chunk(p_release_date, array[v_uid], p_now, v_until, p_range.last_uid);
    p_failures := p_failures + v_done.failures + pg_catalog.cardinality(v_done.skipped);
    perform app.note_release_failure(p_release_date, v_uid, 'another transaction holds the row')
    where pg_catalog.cardinality(v_done.skipped) > 0;
    commit;
  end loop;
end
$$;

comment on procedure app.visit_members is
  'Releases a business day for the members of a range (null: all), in chunks of p_batch with a commit each. Returns '
  'the size of the next chunk, whether the run still waits for locked rows, and the number of failures.';

-- Today, or the named day, is recorded first, so that it is completed later even if this run is cut before it reaches
-- that day. A run that finds the clock doubtful does not end, so app.continue_unfinished_runs continues it once the
-- clock is trusted. A session that finds no range to take waits for the others: it takes up the range of one that is
-- cut, no member gets a later day before an earlier one, and a run that ends has left nothing (app.end_run).
-- Idempotent, also when it runs concurrently: the log has one row per member and day, and a run that visits all
-- members, or the last range, without a failure finishes the day.
create or replace procedure app.release_frozen_points(
  p_business_day date default null, p_now timestamptz default null, p_chunk integer default 250
)
language plpgsql
as $$
declare
  v_run record;
  v_today pg_catalog.date := app.business_day(app.effect_time(p_now));
  v_days pg_catalog.date[] := app.days_to_release(p_business_day, v_today);
  v_day pg_catalog.date;
  v_range app.release_ranges;
  v_batch integer;
  v_failures integer;
  -- A transaction that holds one row for too long may hold many: after the first timeout the procedure no longer waits.
  v_waits boolean := true;
begin
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0, the day would be finished without releasing anybody.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  perform app.reject_compacted_release(p_business_day);
  v_run := app.begin_run('fsgx_release_frozen_points', p_chunk, p_business_day, p_business_day);
  v_batch := v_run.batch;
  if p_now is null and app.clock_state(pg_catalog.clock_timestamp()) = 'doubtful' then
    commit;
    raise warning 'no points are released: the clock has jumped, and no second clock has agreed yet (see docs/operations.md)';
    return;
  end if;
  perform app.begin_release(coalesce(p_business_day, v_today), p_business_day is not null, app.effect_time(p_now));
  commit;
  foreach v_day in array v_days loop
    perform app.begin_release(v_day, p_business_day is not null, app.effect_time(p_now));
    perform app.begin_part(v_run.id, v_day::pg_catalog.text);
    commit;
    if not app.is_divided(v_day) then
      call app.visit_members(v_day, null, p_now, v_run.id, v_batch, v_waits, v_failures);
    end if;
    while exists (select from app.release_ranges as g where g.release_date = v_day and app.is_open(g, v_run.id)) loop
      v_range := app.take_range(v_day, v_run.id);
      commit;
      if v_range.last_uid is null then
        perform pg_catalog.pg_sleep(0.1);
      else
        call app.visit_members(v_day, v_range, p_now, v_run.id, v_batch, v_waits, v_failures);
        perform app.end_range(v_day, v_range.last_uid, v_failures);
        commit;
      end if;
    end loop;
    perform app.end_release(v_day, v_failures, app.effect_time(p_now));
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.release_frozen_points is
  'Releases frozen points (R11) for today and every missed or unfinished business day, oldest first, or only for '
  'p_business_day. Each member gets one release a day, in chunks of p_chunk members with a commit each. Sessions that '
  'run at the same time share the ranges of a day. A day with failures stops no other; the next run completes it '
  'first. Releases nothing while the clock is doubtful.';

create or replace function app.release_json(p_row app.points_release_log, p_nickname text)
returns json
language sql
stable
as $$
  select pg_catalog.json_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'nickname', p_nickname, 'frozen_before',
    pg_catalog.trim_scale(p_row.frozen_before),
    'release_points', pg_catalog.trim_scale(p_row.release_points), 'frozen_after',
    pg_catalog.trim_scale(p_row.frozen_after),
    'release_date', p_row.release_date, 'add_time', app.utc(p_row.add_time)
  )
$$;

comment on function app.release_json is 'Returns a row of the release log as the API shows it.';

grant execute on function app.release_json(app.points_release_log, text) to store_admin;

create or replace function app.run_json(p_run app.release_runs)
returns json
language sql
stable
as $$
  select pg_catalog.json_build_object(
    'release_date', p_run.release_date, 'users', p_run.users, 'points', pg_catalog.trim_scale(p_run.points),
    'failures', p_run.failures, 'cuts', p_run.cuts, 'started_at', app.utc(p_run.started_at), 'finished_at',
    app.utc(p_run.finished_at)
  )
$$;

comment on function app.run_json is 'Returns the record of the release of one business day as the API shows it.';

grant execute on function app.run_json(app.release_runs) to store_admin;
