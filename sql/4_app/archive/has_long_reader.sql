create or replace function app.has_long_reader(p_part regclass)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Without this, a transaction sees the sessions as they were when it looked first.
  perform pg_stat_clear_snapshot();
  return exists (
    select
    from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
    where l.relation = p_part and l.database = (select d.oid from pg_database as d where d.datname = current_database())
      and l.granted and l.pid <> pg_backend_pid() and a.xact_start < clock_timestamp() - interval '100 milliseconds'
  );
end
$$;

comment on function app.has_long_reader is
  'Returns whether a transaction that began more than 0.1 seconds ago has read a month, such as a dump. It may go on for long.';
