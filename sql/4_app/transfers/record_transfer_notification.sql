-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Raises: invalid_argument.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function app.record_transfer_notification(
  p_provider text, p_event_id text, p_withdrawal_no text, p_openid text, p_amount numeric, p_state text, p_provider_ref text, p_reason text,
  p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
  v_openid text;
  v_end text := case when p_state = 'succeeded' then 'paid' when p_state in ('failed', 'cancelled') then 'failed' end;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.withdrawal_no = p_withdrawal_no and w.method = p_provider;
  select t.openid into v_openid from app.transfers as t where t.withdrawal_id = v_withdrawal.id;
  if v_withdrawal.id is null then
    outcome := 'ignored';
    reason := 'transfer_unknown';
  elsif v_withdrawal.amount - v_withdrawal.fee is distinct from p_amount then
    outcome := 'refused';
    reason := 'amount_differs';
  elsif v_openid <> p_openid then
    outcome := 'refused';
    reason := 'payee_differs';
  else
    v_withdrawal := app.record_transfer_state(p_withdrawal_no, p_state, p_provider_ref, p_reason, null, p_now);
    if v_withdrawal.state <> v_end then
      -- WeChat has paid what returned to the balance, or has not paid what is recorded as paid. A person has to find out.
      outcome := 'refused';
      reason := 'state_differs';
    else
      outcome := 'transfer';
      reason := coalesce(p_reason, p_state);
    end if;
  end if;
  perform app.record_notification(p_provider, p_event_id, null, p_withdrawal_no, p_provider_ref, p_amount, null, outcome, reason, p_now);
end
$$;

comment on function app.record_transfer_notification is
  'Processes a verified notification of a transfer and records the outcome: transfer, with the state of the transfer as its reason; ignored, '
  'if the store did not request it; refused, if amount or payee are not those of the withdrawal, or if it ended in another way in the store.';
