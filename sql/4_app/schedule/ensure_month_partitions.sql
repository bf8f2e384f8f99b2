-- Each partition is created in its own transaction and retried while other transactions hold its locks, so that no writer waits
-- long.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument, lock_not_available (after some 30 seconds).
-- Idempotent: existing partitions are left as they are.
create or replace procedure app.ensure_month_partitions(p_from date, p_to date)
language plpgsql
as $$
declare
  v_run record;
  v_month pg_catalog.date;
  v_table pg_catalog.text;
  v_is_done boolean;
begin
  if p_from is null or p_to is null or p_from not between '2000-01-01' and '2999-12-31' or p_to not between '2000-01-01' and '2999-12-31' then
    perform app.fail('invalid_argument', 'Partitions are made for months between the years 2000 and 3000.');
  elsif p_to - p_from > 3660 then
    perform app.fail('invalid_argument', 'Partitions are made for at most ten years at a time.');
  end if;
  v_run := app.begin_run('ensure_month_partitions', 1, p_from, p_to);
  commit;
  v_month := pg_catalog.date_trunc('month', p_from::pg_catalog.timestamp)::pg_catalog.date;
  while v_month <= p_to loop
    foreach v_table in array app.monthly_tables() loop
      for v_try in 1..100 loop
        v_is_done := app.create_month_partition(v_table, v_month);
        perform app.end_batch(v_run.id);
        commit;
        exit when v_is_done;
        -- A random pause, so that retries do not coincide with a writer that returns at regular intervals.
        perform pg_catalog.pg_sleep(0.1 + 0.2 * pg_catalog.random());
      end loop;
      if not v_is_done then
        raise lock_not_available using message = pg_catalog.format('no lock for the partition of app.%s for %s', v_table, v_month);
      end if;
    end loop;
    v_month := (v_month + interval '1 month')::pg_catalog.date;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.ensure_month_partitions is
  'Creates the monthly partitions of the bill, the release log and the action log for every month from p_from to p_to. A month '
  'whose rows are already in the default partition stays there.';
