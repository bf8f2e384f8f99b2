-- Transfers to WeChat, which the member confirms.

create or replace function app.wechat_payee(p_uid bigint)
returns table (appid text, openid text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select a.appid, a.openid from app.users as u join app.wechat_accounts as a on a.auth_id = u.auth_id
  where u.uid = p_uid
$$;

comment on function app.wechat_payee is
  'Returns the WeChat account with which a member signs in; no row if there is none.';

-- Precondition: the caller has inserted the withdrawal in this transaction.
-- Not idempotent: a withdrawal has one transfer, so a second call fails.
create or replace function app.add_transfer(p_withdrawal app.withdrawals, p_payee_name text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.transfers (withdrawal_id, appid, openid, payee_name)
  select
    p_withdrawal.id, a.appid, a.openid,
    -- Names are kept only where WeChat needs them.
    (select p_payee_name from app.settings as s where p_withdrawal.amount - p_withdrawal.fee >= s.transfer_name_from)
  from app.wechat_payee(p_withdrawal.uid) as a;
  if not found then
    perform app.fail('account_not_found', 'Sign in with WeChat to withdraw to WeChat.');
  end if;
end
$$;

comment on function app.add_transfer is
  'Adds the transfer of a new withdrawal by wechat, to the WeChat account with which its member signs in now.';

-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_transfer(p_withdrawal_no text)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.lock_withdrawal((
    select w.id from app.withdrawals as w where w.withdrawal_no = p_withdrawal_no and w.method = 'wechat'
  ));
end
$$;

comment on function app.lock_transfer is 'Locks the withdrawal by wechat that has this number, and returns it.';

-- A day before the end of the 30 days, so that no clock of WeChat is relied on.
create or replace function app.may_be_forgotten(p_transfer app.transfers, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(p_transfer.first_asked_at <= p_now - interval '29 days', false)
$$;

comment on function app.may_be_forgotten is
  'Returns whether WeChat may not know a requested transfer any more. It is then never requested, because it could be '
  'paid again.';

-- From the commit on, WeChat may have been told to pay, so the withdrawal can no longer be refused. A merchant does not
-- know the transfers of another one, and would pay them again. So only the merchant of the first request can continue.
-- Nobody looks at it here, so what refund requests hold beyond what its approval accepted waits for their answers, or
-- for another approval.
-- Locks: the withdrawal, then the balances of its member.
-- Idempotent: a withdrawal has one transfer. A second call only moves asked_at.
create or replace function app.begin_transfer(p_withdrawal_no text, p_mchid text, p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_transfer(p_withdrawal_no);
  v_transfer app.transfers;
  v_now timestamptz;
  v_held numeric;
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
    perform app.fail(
      'withdrawal_state_conflict',
      format('The merchant %s has requested this transfer. Another one cannot continue it.', v_transfer.mchid)
    );
  end if;
  v_must_cancel := v_transfer.cancel_at is not null or v_transfer.openid is null;
  perform app.lock_balances(array[v_withdrawal.uid]);
  v_now := app.effect_time(p_now);
  v_held := app.held_of_withdrawal(v_withdrawal, v_now);
  if v_held > coalesce(v_withdrawal.held_accepted, 0) and not v_must_cancel then
    return jsonb_build_object('is_held', true);
  end if;
  v_withdrawal := app.move_withdrawal(v_withdrawal, 'paying', v_now, p_held_by_refunds => v_held);
  v_may_request := not v_must_cancel and not app.may_be_forgotten(v_transfer, v_now);
  update app.transfers as t set mchid = p_mchid, asked_at = v_now, first_asked_at = coalesce(t.first_asked_at, v_now)
  where t.withdrawal_id = v_withdrawal.id and v_may_request;
  return jsonb_build_object(
    'appid', v_transfer.appid, 'openid', v_transfer.openid, 'payee_name', v_transfer.payee_name,
    'amount_minor', (app.net_amount(v_withdrawal) * 100)::bigint, 'must_cancel', v_must_cancel, 'may_request',
    v_may_request,
    'can_be_confirmed', v_transfer.package_info is not null, 'is_held', false
  );
end
$$;

comment on function app.begin_transfer is
  'Begins a run of the worker for a transfer by the merchant p_mchid: moves the withdrawal to paying and returns the '
  'values of the request. must_cancel: cancel it instead. can_be_confirmed: the member can open the confirmation page. '
  'Null if the withdrawal has ended; only is_held if refund requests hold more of it than its approval accepted.';

-- Precondition: the caller has locked the withdrawal.
-- Idempotent: see app.add_to_outbox.
create or replace function app.ask_to_transfer(p_withdrawal app.withdrawals, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox(
    'transfer', p_withdrawal.withdrawal_no,
    jsonb_build_object('withdrawal_id', p_withdrawal.id, 'withdrawal_no', p_withdrawal.withdrawal_no),
    p_now, p_now
  )
$$;

comment on function app.ask_to_transfer is
  'Adds the call to the outbox that requests the transfer of a withdrawal and queries it until WeChat has decided.';

-- Precondition: the caller has locked the withdrawal.
-- Idempotent: a transfer that is being cancelled is queried again.
create or replace function app.cancel_transfer(p_withdrawal app.withdrawals, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_withdrawal.method <> 'wechat' or p_withdrawal.state <> 'paying'
    or p_withdrawal.transfer_state = 'transferring' then
    perform app.fail(
      'withdrawal_state_conflict', 'Only a transfer that the member has not confirmed can be cancelled.'
    );
  end if;
  update app.transfers as t set cancel_at = coalesce(t.cancel_at, p_now) where t.withdrawal_id = p_withdrawal.id;
  perform app.ask_to_transfer(p_withdrawal, p_now);
end
$$;

comment on function app.cancel_transfer is
  'Has WeChat cancel a transfer that the member has not confirmed. The withdrawal stays paying until WeChat says how '
  'it ended.';

create or replace function app.check_transfer_terms(p_amount numeric, p_method text, p_payee_name text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_terms app.settings := (select s from app.settings as s);
  v_net numeric := p_amount - app.withdrawal_fee(p_amount, v_terms.withdrawal_fee_rate);
begin
  if p_payee_name is not null
    and (p_method <> 'wechat' or char_length(p_payee_name) not between 1 and 64 or not app.is_line(p_payee_name)) then
    perform app.fail(
      'invalid_argument', 'Only a withdrawal to WeChat names the payee, with 1 to 64 characters.', '/payee_name'
    );
  elsif p_method <> 'wechat' then
    return;
  elsif v_net < v_terms.transfer_minimum then
    perform app.fail('invalid_argument', format('WeChat transfers at least %s.', v_terms.transfer_minimum), '/amount');
  elsif v_net > v_terms.transfer_maximum then
    perform app.fail(
      'invalid_argument', format('WeChat transfers at most %s at once.', v_terms.transfer_maximum), '/amount'
    );
  elsif v_net >= v_terms.transfer_name_from and p_payee_name is null then
    perform app.fail(
      'invalid_argument', format('From %s on, WeChat needs your full name.', v_terms.transfer_name_from), '/payee_name'
    );
  end if;
end
$$;

comment on function app.check_transfer_terms is
  'Raises invalid_argument unless the amount less the fee is within the limits of transfers, and the payee is named '
  'where WeChat needs it. Other methods name no payee.';

-- WeChat keeps transfers for 30 days, so one that it does not know 29 days after the first request never began. A
-- request of the worker ends within seconds, so none is under way after an hour.
create or replace function app.was_never_transferred(p_withdrawal app.withdrawals, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.transfers as t
    where t.withdrawal_id = p_withdrawal.id and p_withdrawal.transfer_state is null
      and (t.cancel_at is not null or t.openid is null)
      and (t.asked_at is null or (t.asked_at <= p_now - interval '1 hour' and not app.may_be_forgotten(t, p_now)))
  )
$$;

comment on function app.was_never_transferred is
  'Returns whether a transfer that WeChat does not know never began: it is to be cancelled, WeChat never reported it, '
  'and its requests are over an hour and under 29 days old.';

-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function app.record_transfer_state(
  p_withdrawal_no text, p_state text, p_provider_ref text, p_reason text, p_package_info text, p_now timestamptz
)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_transfer(p_withdrawal_no);
  v_state text := p_state;
  v_reason text := p_reason;
begin
  if p_state is null
    or p_state not in (
      'unknown', 'accepted', 'confirming', 'transferring', 'cancelling', 'succeeded', 'failed', 'cancelled'
    ) then
    perform app.fail(
      'invalid_argument',
      'The state of a transfer is unknown, accepted, confirming, transferring, cancelling, succeeded, failed or cancelled.'
    );
  elsif v_withdrawal.state <> 'paying' then
    return v_withdrawal;
  end if;
  if p_state = 'unknown' then
    if not app.was_never_transferred(v_withdrawal, app.effect_time(p_now)) then
      return v_withdrawal;
    end if;
    v_state := 'cancelled';
    v_reason := 'NEVER_STARTED';
  end if;
  update app.transfers as t
  set provider_ref = coalesce(p_provider_ref, t.provider_ref),
      package_info = case when v_state in ('accepted', 'confirming') then coalesce(p_package_info, t.package_info) end
  where t.withdrawal_id = v_withdrawal.id;
  if v_state = 'succeeded' then
    v_withdrawal := app.move_withdrawal(v_withdrawal, 'paid', p_now, null, p_provider_ref);
  elsif v_state in ('failed', 'cancelled') then
    v_withdrawal := app.move_withdrawal(v_withdrawal, 'failed', p_now, coalesce(v_reason, upper(v_state)));
  end if;
  update app.withdrawals as w set transfer_state = v_state where w.id = v_withdrawal.id returning w.* into v_withdrawal;
  return v_withdrawal;
end
$$;

comment on function app.record_transfer_state is
  'Records what WeChat reports about a transfer, and returns the withdrawal. succeeded makes it paid; failed and '
  'cancelled return the amount. unknown changes nothing, unless the transfer never began (app.was_never_transferred).';

-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function app.record_transfer_notification(
  p_provider text, p_event_id text, p_withdrawal_no text, p_openid text, p_amount numeric, p_state text,
  p_provider_ref text, p_reason text,
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
  select w.* into v_withdrawal from app.withdrawals as w
  where w.withdrawal_no = p_withdrawal_no and w.method = p_provider;
  select t.openid into v_openid from app.transfers as t where t.withdrawal_id = v_withdrawal.id;
  if v_withdrawal.id is null then
    outcome := 'ignored';
    reason := 'transfer_unknown';
  elsif app.net_amount(v_withdrawal) is distinct from p_amount then
    outcome := 'refused';
    reason := 'amount_differs';
  elsif v_openid <> p_openid then
    outcome := 'refused';
    reason := 'payee_differs';
  else
    v_withdrawal := app.record_transfer_state(p_withdrawal_no, p_state, p_provider_ref, p_reason, null, p_now);
    if v_withdrawal.state <> v_end then
      -- WeChat has paid what returned to the balance, or has not paid what is recorded as paid. A person has to find
      -- out.
      outcome := 'refused';
      reason := 'state_differs';
    else
      outcome := 'transfer';
      reason := coalesce(p_reason, p_state);
    end if;
  end if;
  perform app.record_notification(
    p_provider, p_event_id, null, p_withdrawal_no, p_provider_ref, p_amount, null, outcome, reason, p_now
  );
end
$$;

comment on function app.record_transfer_notification is
  'Processes a verified notification of a transfer and records the outcome. transfer has the given reason or the state '
  'as its reason. ignored: the store did not request it. refused: amount or payee differ, or it ended in another way '
  'in the store.';

-- WeChat can be queried about a transfer for 30 days.
create or replace function app.ends_by_hand(p_transfer app.transfers, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(p_transfer.first_asked_at <= p_now - interval '30 days', false)
$$;

comment on function app.ends_by_hand is
  'Returns whether WeChat no longer reports how a transfer ended, so that an administrator records it.';

-- Precondition: the caller has locked the withdrawal.
create or replace function app.reject_end_by_hand(p_withdrawal app.withdrawals, p_now timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_withdrawal.method = 'wechat' and p_withdrawal.state in ('approved', 'paying')
    and not exists (
      select from app.transfers as t where t.withdrawal_id = p_withdrawal.id and app.ends_by_hand(t, p_now)
    ) then
    perform app.fail('withdrawal_state_conflict', 'WeChat says how a transfer ends. Ask again, or cancel it.');
  end if;
end
$$;

comment on function app.reject_end_by_hand is
  'Raises withdrawal_state_conflict if WeChat still reports how the transfer of a withdrawal ends (app.ends_by_hand).';

create or replace function app.transfer_json(p_withdrawal app.withdrawals, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'provider_ref', t.provider_ref, 'asked_at', app.utc(t.asked_at), 'cancelled_at', app.utc(t.cancel_at),
    'ends_by_hand', app.ends_by_hand(t, p_now),
    'call',
    (select app.outbox_json(o) from app.outbox as o where o.kind = 'transfer' and o.key = p_withdrawal.withdrawal_no)
  )
  from app.transfers as t where t.withdrawal_id = p_withdrawal.id
$$;

comment on function app.transfer_json is
  'Returns the transfer of a withdrawal and its call in the outbox as administrators see them; null without one.';
