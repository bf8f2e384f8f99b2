-- Makes one monthly partition (months in UTC) with row-level security of its own, unless there is one or its rows stand in the
-- default partition. It is made apart and then attached, so that the parent table is never locked against readers or writers; the
-- tables that foreign keys refer to are, for a moment. (Attaching adds the foreign keys; if the new table had them already, it would
-- lock those tables against readers as well.) Tells whether it is done: it waits for each lock a tenth of a second at most, which is
-- too short for a deadlock to be looked for, and leaves nothing behind where that is not enough.
-- Callers: ensure_month_partitions, the first set-up. Locks: the tables referred to, the parent, its default partition.
-- Raises: nothing; a month left in the default partition is a notice. Safe twice: an existing partition is left alone.
create or replace function app.create_month_partition(p_table text, p_month date)
returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_parent regclass := format('app.%I', p_table)::regclass;
  v_name text := p_table || to_char(p_month, '_YYYYMM');
  v_table text;
begin
  if to_regclass(format('app.%I', v_name)) is not null then
    return true;
  end if;
  -- In the order of the writers, and each as strong as it will be needed: a lock that is raised later deadlocks at once.
  for v_table in
    select format('%s in share row exclusive mode', t.oid::regclass)
    from (select distinct c.confrelid as oid from pg_constraint as c where c.conrelid = v_parent and c.contype = 'f') as t
    order by t.oid desc
  loop
    execute format('lock table %s', v_table);
  end loop;
  execute format('lock table app.%I in access exclusive mode', p_table || '_default');
  execute format('create table app.%I (like %s including all)', v_name, v_parent);
  execute format('alter table app.%I enable row level security', v_name);
  execute format(
    'alter table %s attach partition app.%I for values from (%L) to (%L)',
    v_parent, v_name,
    case p_table when 'user_bill' then (p_month::timestamp at time zone 'UTC')::text else p_month::text end,
    case p_table when 'user_bill' then ((p_month + interval '1 month') at time zone 'UTC')::text
      else (p_month + interval '1 month')::date::text end
  );
  return true;
exception
  when lock_not_available then
    return false;
  when check_violation then
    raise notice 'app.% stays in the default partition', v_name;
    return true;
end
$$;
