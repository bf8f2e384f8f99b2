-- The daily release (R11): today, every missed day and every unfinished one, oldest first, or only p_business_day. Every member
-- once per day, in chunks with a commit each. Members whose row is held are tried again after the others, so that neither the
-- release nor a settlement waits for the other; what is still held after many tries is waited for, one by one, and fails when
-- it is held for too long. Today counts as missed from now on, even if this run is cut before it comes to it.
-- Callers: pg_cron job fsgx_release_frozen_points, administrators. A day with failures stays unfinished and holds up no other:
-- the next run completes it first. Procedures that commit cannot carry a `set` clause; every name below is qualified.
-- Raises: invalid_argument. Safe twice and side by side: one log row per member and day, and a run that has walked all members
-- without a failure of its own finishes the day.
create or replace procedure app.release_frozen_points(
  p_business_day date default null,
  p_now timestamptz default null,
  p_chunk integer default 250
)
language plpgsql
as $$
declare
  v_today pg_catalog.date := app.business_day(app.moment(p_now));
  v_days pg_catalog.date[] := app.days_to_release(p_business_day, v_today);
  v_day pg_catalog.date;
  v_until pg_catalog.timestamptz;
  v_uid bigint;
  v_uids bigint[];
  v_skipped bigint[];
  v_again bigint[];
  v_done record;
  v_failures integer;
  -- Somebody who holds one row for too long may hold many: waited for once.
  v_waits boolean := true;
begin
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0 the day would be finished and nobody released.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  if p_business_day is null then
    perform app.begin_release(v_today, false, app.moment(p_now));
    commit;
  end if;
  foreach v_day in array v_days loop
    perform app.begin_release(v_day, p_business_day is not null, app.moment(p_now));
    commit;
    v_until := app.release_until(v_day, v_today);
    v_failures := 0;

    v_skipped := '{}';
    v_uids := array[0::bigint];
    loop
      v_uids := app.release_candidates(v_day, v_uids[pg_catalog.cardinality(v_uids)], p_chunk);
      exit when pg_catalog.cardinality(v_uids) = 0;
      v_done := app.release_chunk(v_day, v_uids, p_now, v_until);
      v_failures := v_failures + v_done.failures;
      v_skipped := v_skipped || v_done.skipped;
      commit;
    end loop;

    for v_try in 1..20 loop
      exit when pg_catalog.cardinality(v_skipped) = 0;
      perform pg_catalog.pg_sleep(0.02) where v_try > 1;
      v_again := '{}';
      while pg_catalog.cardinality(v_skipped) > 0 loop
        v_done := app.release_chunk(v_day, v_skipped[1:p_chunk], p_now, v_until);
        v_failures := v_failures + v_done.failures;
        v_again := v_again || v_done.skipped;
        v_skipped := v_skipped[p_chunk + 1:];
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

    perform app.end_release(v_day, v_failures, app.moment(p_now));
    commit;
  end loop;
end
$$;
