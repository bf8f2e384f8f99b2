-- A month that cannot be archived ends the run for its table, because later months come after it.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument, lock_not_available.
-- Idempotent, also when it runs concurrently: an archived month is left as it is.
create or replace procedure app.archive_due_months()
language plpgsql
as $$
declare
  v_run record := app.begin_run('archive_due_months', 1);
  v_table pg_catalog.text;
  v_month pg_catalog.date;
begin
  commit;
  foreach v_table in array app.monthly_tables() loop
    loop
      v_month := app.oldest_part(v_table);
      exit when v_month is null or app.archive_obstacle(v_table, v_month, pg_catalog.clock_timestamp()) is not null;
      perform app.archive_month(v_table, v_month);
      perform app.end_batch(v_run.id);
      commit;
      raise notice '% % is archived', v_table, pg_catalog.to_char(v_month, 'YYYY-MM');
    end loop;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.archive_due_months is
  'Archives the oldest months of the bill, the release log and the action log of which nothing is open any more (app.archive_obstacle).';
