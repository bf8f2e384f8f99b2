-- Security definer: client roles have no write privilege on withdrawals and cannot read transfers.
-- Locks: the withdrawal.
-- Raises: invalid_argument, withdrawal_not_found, withdrawal_state_conflict.
-- Idempotent in effect: see app.begin_transfer.
create or replace function api.begin_transfer(p_withdrawal_no text, p_mchid text)
returns jsonb
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.begin_transfer(p_withdrawal_no, p_mchid, null)
$$;

comment on function api.begin_transfer is
  'Moves an approved withdrawal by wechat to paying and returns what WeChat is told by the merchant p_mchid, {appid, openid, payee_name, '
  'amount_minor, must_cancel, may_request, can_be_confirmed}, or null if it has ended. First step of the worker.';

grant execute on function api.begin_transfer(text, text) to service_role;
