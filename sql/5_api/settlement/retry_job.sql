-- Security definer: client roles have no write privilege on jobs.
-- Locks: the order, then its job.
-- Raises: forbidden, own_account, order_not_found, job_not_found.
-- Idempotent: a job that is due stays due.
create or replace function api.retry_job(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
begin
  perform app.require_admin('money');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  select jsonb_build_object('state', j.state, 'attempts', j.attempts) into v_before
  from app.settlement_jobs as j where j.order_id = p_order_id for update;
  update app.settlement_jobs
  set state = 'waiting', attempts = 0, last_error = null, run_after = clock_timestamp()
  where order_id = p_order_id;
  if not found then
    perform app.fail('job_not_found', 'This order has no settlement job: it is settled, or has nothing to settle.');
  end if;
  perform app.record_action('retry_job', 'order', p_order_id::text, v_before, jsonb_build_object('state', 'waiting', 'attempts', 0));
  return jsonb_build_object('order_id', p_order_id, 'state', 'waiting');
end
$$;

comment on function api.retry_job is
  'Makes a waiting or dead settlement job due now and resets its attempts. Serves POST /adminapi/hjf/jobs/{id}/retry.';

grant execute on function api.retry_job(bigint) to store_admin;
