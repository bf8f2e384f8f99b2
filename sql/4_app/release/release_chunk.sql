-- Locks: for a missed day, the bill, as every read of it does (app.frozen_until); balances by uid, skipping those that are locked, then the row of the run.
-- Idempotent: see release_members.
create or replace function app.release_chunk(
  p_release_date date, p_uids bigint[], p_now timestamptz, p_until timestamptz default null,
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
    update app.release_runs as r set users = r.users + v_done.users, points = r.points + v_done.points
    where r.release_date = p_release_date;
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
    v_done := app.release_chunk(p_release_date, array[v_uid], p_now, p_until);
    failures := failures + v_done.failures;
    skipped := skipped || v_done.skipped;
  end loop;
end
$$;

comment on function app.release_chunk is
  'Releases the points of a chunk of members and adds the result to the record of the run. If the release of one member fails, '
  'the others go on. Returns the number of failures, and the members whose rows another transaction holds, for a retry.';
