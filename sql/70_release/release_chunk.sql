-- Releases a chunk of members and adds it to the record of the run; a member who cannot be released fails alone.
-- Returns those whose row somebody else holds, to be tried again.
-- Callers: release_frozen_points. Locks: balances (skipping those held), then the row of the run.
-- Safe twice: as release_members is.
create or replace function app.release_chunk(p_release_date date, p_uids bigint[], p_now timestamptz)
returns bigint[]
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_done record;
  v_skipped bigint[] := array[]::bigint[];
  v_uid bigint;
begin
  begin
    v_done := app.release_members(p_release_date, p_uids, p_now);
    update app.release_runs as r set users = r.users + v_done.users, points = r.points + v_done.points
    where r.release_date = p_release_date;
    return v_done.skipped;
  exception when others then
    if cardinality(p_uids) = 1 then
      update app.release_runs as r
      set failures = r.failures + 1, last_error = left(format('uid %s: %s: %s', p_uids[1], sqlstate, sqlerrm), 500)
      where r.release_date = p_release_date;
      return v_skipped;
    end if;
  end;
  foreach v_uid in array p_uids loop
    v_skipped := v_skipped || app.release_chunk(p_release_date, array[v_uid], p_now);
  end loop;
  return v_skipped;
end
$$;
