-- The record of a business day, and its ranges of members, for the sessions of a night.

-- Locks: nothing. The caller has inserted the record of the day.
-- Not idempotent: a second division of a day is rejected by the primary key. Each batch writes the row of its range.
-- While another session keeps an old snapshot, such as a dump, all versions of the row stay, and each batch passes
-- them, so a range has no more than some hundred batches.
create or replace function app.divide_release(p_release_date date, p_sessions integer, p_most integer default 250000)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_percent double precision := app.sample_percent('app.user_balances');
  v_uids bigint[] := array(
    select b.uid from app.user_balances as b tablesample system (v_percent)
    where app.release_amount(b.frozen_points) > 0 order by b.uid
  );
  v_ranges integer := greatest(p_sessions, ceil(cardinality(v_uids) * 100 / v_percent / p_most)::integer);
begin
  insert into app.release_ranges (release_date, last_uid, after_uid)
  select p_release_date, l.last_uid, lag(l.last_uid, 1, 0::bigint) over (order by l.last_uid)
  from (
    select u.uid as last_uid
    from unnest(v_uids) with ordinality as u (uid, place)
    join generate_series(1, v_ranges - 1) as n (number) on u.place = ceil(
      n.number * cardinality(v_uids)::numeric / v_ranges
    )
    union
    select 9223372036854775807
  ) as l
  where v_ranges > 1
  order by l.last_uid;
end
$$;

comment on function app.divide_release is
  'Divides the release of a business day into ranges of uid with about as many members who have something to release: '
  'one for each session, more if a range would exceed about p_most. The last one includes new members. A single range '
  'is not recorded.';

-- The ranges are recorded with the run, so a changed number of sessions applies to the days that begin later.
-- Locks: the row of the run.
-- Idempotent: a run that continues keeps its record and its ranges.
-- Records of runs are deleted after a month, so the number of cuts never falls.
create or replace function app.begin_release(p_release_date date, p_is_named boolean, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.release_runs as r (
    release_date, started_at, is_named_only
  ) values (p_release_date, p_now, p_is_named) on conflict (release_date) do nothing;
  if found then
    perform app.divide_release(p_release_date, s.night_sessions) from app.settings as s;
    return;
  end if;
  update app.release_runs as r
  set is_named_only = r.is_named_only and (p_is_named or p_release_date <> app.business_day(p_now)),
      cuts = case
        when r.finished_at is null then greatest(
          r.cuts, app.cuts_of('fsgx_release_frozen_points', r.release_date::text)
        )
        else r.cuts
      end
  where r.release_date = p_release_date;
end
$$;

comment on function app.begin_release is
  'Records that the release of a business day has started, its ranges (app.divide_release), and how many earlier runs '
  'were cut. A run for an explicit day (p_is_named) does not make later days count as missed.';

create or replace function app.is_divided(p_release_date date)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from app.release_ranges as g where g.release_date = p_release_date)
$$;

comment on function app.is_divided is 'Returns whether the release of a business day was divided into ranges.';

-- A range with failures is retried by later runs only. So a run takes it at most once, however many run at the same
-- time.
create or replace function app.is_open(p_range app.release_ranges, p_run bigint)
returns boolean
language sql
immutable
as $$
  select p_range.after_uid < p_range.last_uid and (p_range.failures = 0 or p_range.run < p_run)
$$;

comment on function app.is_open is
  'Returns whether a range is not finished, and neither this run nor a later one failed there.';

-- Locks: the range, skipping those that another session takes.
-- Idempotent: a range that a running session visits is not taken from it.
create or replace function app.take_range(p_release_date date, p_run bigint)
returns app.release_ranges
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_ranges as g
  set run = p_run, failures = 0
  where (g.release_date, g.last_uid) = (
    select o.release_date, o.last_uid
    from app.release_ranges as o
    where o.release_date = p_release_date and app.is_open(o, p_run)
      and (o.failures > 0 or not app.is_visited(o.run))
    order by o.last_uid
    limit 1
    for update skip locked
  )
  returning g.*
$$;

comment on function app.take_range is
  'Takes for this run the first open range of a business day that no running session visits, and returns it; null if '
  'there is none.';

-- A session that was taken for cut may still end its batch, so the position never goes back.
-- Locks: the range.
create or replace function app.advance_range(p_release_date date, p_last_uid bigint, p_after_uid bigint)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_ranges as g set after_uid = greatest(g.after_uid, p_after_uid)
  where g.release_date = p_release_date and g.last_uid = p_last_uid
$$;

comment on function app.advance_range is
  'Records that all members of a range up to p_after_uid have been visited without a failure.';

-- Locks: the range.
create or replace function app.end_range(p_release_date date, p_last_uid bigint, p_failures integer)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_ranges as g
  set failures = p_failures, after_uid = case when p_failures = 0 then g.last_uid else g.after_uid end
  where g.release_date = p_release_date and g.last_uid = p_last_uid and g.after_uid < g.last_uid
$$;

comment on function app.end_range is
  'Records the result of a run that has visited all members of a range. Without failures, the range is finished.';

-- A run counts only its own failures: even if a concurrent run failed for other members, this run can finish the day.
-- Those of ranges are in their records.
-- Locks: the row of the run.
-- Idempotent: a finished day stays as it is.
create or replace function app.end_release(p_release_date date, p_failures integer, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with ended as (
    update app.release_runs as r
    set users = coalesce(l.users, r.users), points = coalesce(l.points, r.points),
        failures = l.failures, last_error = case when l.failures > 0 then r.last_error end,
        -- A concurrent run with an earlier p_now may end last.
        finished_at = case when l.is_finished then greatest(p_now, r.started_at) end
    from (
      select sum(g.users) as users, sum(g.points) as points, coalesce(sum(g.failures), p_failures) as failures,
        coalesce(bool_and(g.after_uid = g.last_uid), p_failures = 0) as is_finished
      from app.release_ranges as g
      where g.release_date = p_release_date
    ) as l
    where r.release_date = p_release_date and r.finished_at is null
    returning r.*
  )
  select app.write_event(
    'points.released', to_char(e.release_date, 'YYYYMMDD')::bigint, null,
    jsonb_build_object('release_date', e.release_date, 'users', e.users, 'points', trim_scale(e.points)), e.finished_at
  )
  from ended as e where e.finished_at is not null
$$;

comment on function app.end_release is
  'Records the result of a run that has visited all members of a business day or, of a day in ranges, their sums. The '
  'day is finished, with one event, once a run or every range has no failures.';
