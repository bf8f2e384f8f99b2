-- Security definer: client roles have no write privilege on withdrawals and batches.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, own_account, invalid_argument, withdrawal_not_found, withdrawal_state_conflict.
-- Not idempotent: but each withdrawal is in at most one batch. After a lost response, the list of batches
-- shows whether the batch was made.
create or replace function api.create_withdrawal_batch(p_method text, p_ids jsonb default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_batch app.withdrawal_batches;
begin
  perform app.require_admin('money');
  if p_ids is not null then
    v_ids := app.require_ids(p_ids);
    perform from app.lock_withdrawals(v_ids);
  end if;
  v_batch := app.create_withdrawal_batch(p_method, v_ids, app.current_uid(), auth.uid(), null);
  perform app.record_action(
    'create_withdrawal_batch', 'withdrawal_batch', v_batch.id::text, null,
    jsonb_build_object('batch_no', v_batch.batch_no, 'method', v_batch.method, 'withdrawals', v_batch.withdrawals, 'amount', v_batch.amount)
  );
  return app.withdrawal_batch_json(v_batch);
end
$$;

comment on function api.create_withdrawal_batch is
  'Puts approved withdrawals of a method (bank or alipay) into a batch and returns the batch. p_ids names the withdrawals; null takes '
  'all, except those of the administrator''s own member. They become paying. Serves POST /adminapi/withdrawal/batch.';

grant execute on function api.create_withdrawal_batch(text, jsonb) to store_admin;
