-- Every procedure is called by its name, because a procedure that commits cannot be called by dynamic SQL. A run that is cut here
-- is the latest of its job, so the next call begins with the other jobs.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: month_archived, case_not_found (a job that is not in the list below).
-- Idempotent, also when it runs concurrently: every job is.
create or replace procedure app.continue_unfinished_runs()
language plpgsql
as $$
declare
  v_run record;
begin
  perform app.mark_cut_runs();
  commit;
  for v_run in select u.job, u.from_day, u.to_day from app.unfinished_runs() as u loop
    case v_run.job
      when 'fsgx_release_frozen_points' then call app.release_frozen_points(v_run.from_day);
      when 'settle_waiting_orders' then call app.drain_settlement_jobs();
      when 'expire_orders' then call app.expire_orders();
      when 'receive_delivered_orders' then call app.receive_delivered_orders();
      when 'sum_team_totals' then call app.sum_team_totals();
      when 'reconcile_bill' then call app.record_reconcile();
      when 'ensure_month_partitions' then call app.ensure_month_partitions(v_run.from_day, v_run.to_day);
      when 'forget_idempotency_keys' then call app.forget_idempotency_keys();
      when 'archive_due_months' then call app.archive_due_months();
      when 'purge_cron_history' then call app.purge_cron_history();
    end case;
  end loop;
end
$$;

comment on procedure app.continue_unfinished_runs is
  'Records which runs of scheduled jobs were cut, and completes what they left, each for the days that it was called for.';
