-- In the order in which writers lock these tables, and in the mode that is needed: upgrading a lock later can deadlock.
-- The caller sets a lock timeout that is shorter than deadlock_timeout, so a conflict ends with a retry and not with a deadlock error.
-- Locks: the referenced tables.
create or replace function app.lock_for_partition(p_parent regclass, p_blocks_readers boolean)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table regclass;
begin
  for v_table in
    select t.oid::regclass
    from (select distinct c.confrelid as oid from pg_constraint as c where c.conrelid = p_parent and c.contype = 'f') as t
    order by t.oid desc
  loop
    if p_blocks_readers then
      execute format('lock table %s in access exclusive mode', v_table);
    else
      execute format('lock table %s in share row exclusive mode', v_table);
    end if;
  end loop;
end
$$;

comment on function app.lock_for_partition is
  'Locks the tables that the foreign keys of a partitioned table reference, as attaching or detaching one of its partitions does. '
  'Attaching a partition that has foreign keys of its own blocks readers, too.';
