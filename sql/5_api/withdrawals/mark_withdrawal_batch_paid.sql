-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, withdrawal_not_found, invalid_argument.
-- Idempotent: withdrawals that have ended stay as they are.
create or replace function api.mark_withdrawal_batch_paid(p_id bigint, p_payment_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin('money');
  v_batch := app.require_withdrawal_batch(p_id);
  v_before := app.withdrawal_batch_json(v_batch);
  perform app.end_withdrawal_batch(p_id, app.current_uid(), p_payment_ref, null);
  v_after := app.withdrawal_batch_json(v_batch);
  perform app.record_action('mark_withdrawal_batch_paid', 'withdrawal_batch', p_id::text, v_before, v_after, array['paying', 'paid', 'failed']);
  return v_after;
end
$$;

comment on function api.mark_withdrawal_batch_paid is
  'Records that the withdrawals of a batch that are still paying were paid, except the administrator''s own, and returns the batch. '
  'Withdrawals that failed must be marked first. Serves PUT /adminapi/withdrawal_batch/{id}/paid.';

grant execute on function api.mark_withdrawal_batch_paid(bigint, text) to store_admin;
