-- The timeline of the control file may lag behind that of the replay, but never precedes it: a doubt is a no.
create or replace function app.has_replayed(p_position text, p_max_age interval)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_timeline bigint;
begin
  -- In a store in use, commits arrive all the time. A standby that has received none for longer may have lost its primary.
  if not pg_is_in_recovery() or coalesce(clock_timestamp() - pg_last_xact_replay_timestamp() > p_max_age, true) then
    return false;
  elsif p_position is null then
    return true;
  elsif p_position !~ '^[0-9A-F]{8}-[0-9A-F]{8}/[0-9A-F]{8}$' then
    return false;
  end if;
  select greatest(c.timeline_id, r.min_recovery_end_timeline) into v_timeline from pg_control_checkpoint() as c, pg_control_recovery() as r;
  return v_timeline >= ('x' || left(p_position, 8))::bit(32)::bigint and pg_last_wal_replay_lsn() >= substr(p_position, 10)::pg_lsn;
end
$$;

comment on function app.has_replayed is
  'Says whether this server is a standby that has replayed the log up to p_position (see app.log_position), and whose last replayed commit is '
  'not older than p_max_age. A position that is none counts as not replayed; null stands for the beginning of the log.';

grant execute on function app.has_replayed(text, interval) to store_api;
