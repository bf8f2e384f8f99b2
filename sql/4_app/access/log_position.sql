-- The insert position, because commits that are not flushed yet count, too. It precedes no commit that is complete when the statement begins.
create or replace function app.log_position()
returns text
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select left(pg_walfile_name(p.position), 8) || '-' || lpad(split_part(p.position::text, '/', 1), 8, '0') || '/' || lpad(split_part(p.position::text, '/', 2), 8, '0')
  from (select case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() end as position) as p
$$;

comment on function app.log_position is
  'Returns the timeline of the server and the end of its log as text: 00000001-00000000/016B3748. Later positions are greater as text, also '
  'after a failover. Null on a standby.';

grant execute on function app.log_position() to store_api;
