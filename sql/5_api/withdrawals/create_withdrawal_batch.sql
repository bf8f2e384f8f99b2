-- Security definer: client roles have no write privilege on withdrawals and batches.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, own_account, invalid_argument, withdrawal_not_found, withdrawal_state_conflict.
-- Not idempotent: but each withdrawal is in at most one batch. A request whose answer was lost has made its batch, or none.
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
    v_ids := app.ids_of(p_ids);
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
  'Puts approved withdrawals of a method into a batch for a bank or for Alipay, those named or all, and returns it. From then on they are '
  'paying. Leaves out the administrator''s own. Serves POST /adminapi/withdrawal/batch.';

grant execute on function api.create_withdrawal_batch(text, jsonb) to store_admin;
