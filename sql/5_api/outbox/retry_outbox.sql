-- Security definer: client roles have no write privilege on the outbox.
-- Locks: the row of the outbox.
-- Raises: forbidden, own_account, job_not_found.
-- Idempotent: a waiting row becomes due now.
create or replace function api.retry_outbox(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.outbox;
  v_after app.outbox;
begin
  perform app.require_admin('money');
  select o.* into v_before from app.outbox as o where o.id = p_id for update;
  if not found then
    perform app.fail('job_not_found', 'This call has already been completed.');
  end if;
  perform app.reject_own_order((v_before.payload ->> 'order_id')::bigint);
  perform app.reject_own_member((select w.uid from app.withdrawals as w where w.id = (v_before.payload ->> 'withdrawal_id')::bigint));
  update app.outbox as o set state = 'waiting', attempts = 0, run_after = clock_timestamp() where o.id = p_id returning o.* into v_after;
  perform app.record_action(
    'retry_outbox', 'outbox', p_id::text,
    jsonb_build_object('state', v_before.state, 'attempts', v_before.attempts), jsonb_build_object('state', v_after.state, 'attempts', v_after.attempts)
  );
  return app.outbox_json(v_after);
end
$$;

comment on function api.retry_outbox is
  'Makes a call to a provider due now, resets its attempts, and returns it. Serves PUT /adminapi/outbox/{id}/retry.';

grant execute on function api.retry_outbox(bigint) to store_admin;
