-- From the commit on, WeChat may have been told to pay, so the withdrawal can no longer be refused.
-- A merchant does not know the transfers of another one, and would pay them again. So only the merchant of the first request can continue.
-- Locks: the withdrawal.
-- Raises: invalid_argument, withdrawal_not_found, withdrawal_state_conflict (another merchant has requested it).
-- Idempotent in effect: a repeated call only moves asked_at.
create or replace function app.begin_transfer(p_withdrawal_no text, p_mchid text, p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_transfer(p_withdrawal_no);
  v_transfer app.transfers;
  v_now timestamptz := app.effect_time(p_now);
  v_must_cancel boolean;
  v_may_request boolean;
begin
  if p_mchid is null or char_length(p_mchid) not between 1 and 64 then
    perform app.fail('invalid_argument', 'The id of a merchant has 1 to 64 characters.');
  elsif v_withdrawal.state not in ('approved', 'paying') then
    perform app.finish_outbox('transfer', p_withdrawal_no);
    return null;
  end if;
  select t.* into v_transfer from app.transfers as t where t.withdrawal_id = v_withdrawal.id;
  if v_transfer.mchid <> p_mchid then
    perform app.fail('withdrawal_state_conflict', format('The merchant %s has requested this transfer. Another one cannot continue it.', v_transfer.mchid));
  end if;
  perform app.advance_withdrawal(v_withdrawal.id, 'paying', v_now);
  v_must_cancel := v_transfer.cancel_at is not null or v_transfer.openid is null;
  v_may_request := not v_must_cancel and not app.may_be_forgotten(v_transfer, v_now);
  update app.transfers as t set mchid = p_mchid, asked_at = v_now, first_asked_at = coalesce(t.first_asked_at, v_now)
  where t.withdrawal_id = v_withdrawal.id and v_may_request;
  return jsonb_build_object(
    'appid', v_transfer.appid, 'openid', v_transfer.openid, 'payee_name', v_transfer.payee_name,
    'amount_minor', ((v_withdrawal.amount - v_withdrawal.fee) * 100)::bigint, 'must_cancel', v_must_cancel, 'may_request', v_may_request,
    'can_be_confirmed', v_transfer.package_info is not null
  );
end
$$;

comment on function app.begin_transfer is
  'Begins a run of the worker for the transfer of a withdrawal by the merchant p_mchid: moves it to paying and returns the values of the '
  'request, whether it must be cancelled instead, whether it may be requested, and whether the member has what opens the confirmation page. '
  'Returns null for a withdrawal that has ended.';
