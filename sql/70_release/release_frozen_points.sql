-- The daily release (R11): today and every missed day, one by one in order, or only p_business_day. Every member once
-- per day, in chunks with a commit each. Members whose row is held are tried again after the others, so that neither
-- the release nor a settlement waits for the other; what is still held after many tries is waited for, one by one.
-- Callers: pg_cron job fsgx_release_frozen_points, administrators. A day with failures stays unfinished: the next run
-- tries again. Procedures that commit cannot carry a `set` clause; every name below is qualified.
-- Raises: invalid_argument. Safe twice and side by side: one log row per member and day.
create or replace procedure app.release_frozen_points(
  p_business_day date default null,
  p_now timestamptz default null,
  p_chunk integer default 250
)
language plpgsql
as $$
declare
  v_day pg_catalog.date;
  v_uids bigint[];
  v_skipped bigint[];
  v_tries integer;
begin
  perform app.moment(p_now);
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0 the day would be finished and nobody released.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  foreach v_day in array app.days_to_release(p_business_day, app.business_day(app.moment(p_now))) loop
    insert into app.release_runs (release_date, started_at) values (v_day, app.moment(p_now))
    on conflict (release_date) do update set failures = 0, last_error = null;
    commit;

    v_skipped := '{}';
    v_uids := array[0::bigint];
    loop
      v_uids := app.release_candidates(v_day, v_uids[pg_catalog.cardinality(v_uids)], p_chunk);
      exit when pg_catalog.cardinality(v_uids) = 0;
      v_skipped := v_skipped || app.release_chunk(v_day, v_uids, p_now);
      commit;
    end loop;

    v_tries := 0;
    while pg_catalog.cardinality(v_skipped) > 0 loop
      v_tries := v_tries + 1;
      if v_tries > 20 then
        perform app.lock_balances(v_skipped[1:1]);
      elsif v_tries > 1 then
        perform pg_catalog.pg_sleep(0.02);
      end if;
      v_skipped := app.release_chunk(v_day, v_skipped[1:p_chunk], p_now) || v_skipped[p_chunk + 1:];
      commit;
    end loop;

    update app.release_runs as r set finished_at = app.moment(p_now)
    where r.release_date = v_day and r.failures = 0;
    commit;
  end loop;
end
$$;
