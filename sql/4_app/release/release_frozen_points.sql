-- Members whose rows are locked are retried after all others, so that neither the release nor a settlement waits for the other.
-- After 20 retries the procedure waits for the remaining rows one by one; a member whose row stays locked is a failure.
-- Today, or the named day, is recorded first, so that it is completed later even if this run is cut before it reaches that day.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument, month_archived.
-- Idempotent, also when it runs concurrently: the log has one row per member and day, and a run that visits all members without
-- a failure finishes the day.
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
  v_until pg_catalog.timestamptz;
  v_uid bigint;
  v_uids bigint[];
  v_skipped bigint[];
  v_again bigint[];
  v_done record;
  v_failures integer;
  -- A transaction that holds one row for too long may hold many: after the first timeout the procedure no longer waits.
  v_waits boolean := true;
begin
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0, the day would be finished without releasing anybody.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  perform app.reject_archived_release(p_business_day);
  v_run := app.begin_run('fsgx_release_frozen_points', p_chunk, p_business_day, p_business_day);
  perform app.begin_release(coalesce(p_business_day, v_today), p_business_day is not null, app.effect_time(p_now));
  commit;
  foreach v_day in array v_days loop
    perform app.begin_release(v_day, p_business_day is not null, app.effect_time(p_now));
    perform app.begin_part(v_run.id, v_day::pg_catalog.text);
    commit;
    v_until := app.release_until(v_day);
    v_failures := 0;
    v_skipped := '{}';
    v_uids := array[0::bigint];
    loop
      v_uids := app.release_candidates(v_day, v_uids[pg_catalog.cardinality(v_uids)], v_run.batch);
      exit when pg_catalog.cardinality(v_uids) = 0;
      v_done := app.release_chunk(v_day, v_uids, p_now, v_until);
      v_failures := v_failures + v_done.failures;
      v_skipped := v_skipped || v_done.skipped;
      v_run.batch := app.end_batch(v_run.id);
      commit;
    end loop;

    for v_try in 1..20 loop
      exit when pg_catalog.cardinality(v_skipped) = 0;
      perform pg_catalog.pg_sleep(0.02) where v_try > 1;
      v_again := '{}';
      while pg_catalog.cardinality(v_skipped) > 0 loop
        v_done := app.release_chunk(v_day, v_skipped[1:v_run.batch], p_now, v_until);
        v_failures := v_failures + v_done.failures;
        v_again := v_again || v_done.skipped;
        v_skipped := v_skipped[v_run.batch + 1:];
        v_run.batch := app.end_batch(v_run.id);
        commit;
      end loop;
      v_skipped := v_again;
    end loop;

    foreach v_uid in array v_skipped loop
      v_waits := v_waits and app.wait_for_balance(v_uid);
      v_done := app.release_chunk(v_day, array[v_uid], p_now, v_until);
      v_failures := v_failures + v_done.failures + pg_catalog.cardinality(v_done.skipped);
      perform app.note_release_failure(v_day, v_uid, 'another transaction holds the row') where pg_catalog.cardinality(v_done.skipped) > 0;
      commit;
    end loop;

    perform app.end_release(v_day, v_failures, app.effect_time(p_now));
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.release_frozen_points is
  'Releases frozen points (R11) for today, every missed and every unfinished business day, oldest first, or only for '
  'p_business_day. Each member gets one release per day, in chunks of p_chunk members with a commit each. A day with failures '
  'stays unfinished and does not stop other days; the next run completes it first.';
