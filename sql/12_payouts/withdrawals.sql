-- Withdrawals from request to end, and the debts of members.

create or replace function app.withdrawal_json(p_withdrawal app.withdrawals)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_withdrawal.id, 'withdrawal_no', p_withdrawal.withdrawal_no, 'method', p_withdrawal.method, 'account',
    p_withdrawal.account_hint,
    'amount', p_withdrawal.amount::pg_catalog.text, 'fee', p_withdrawal.fee::pg_catalog.text, 'tax',
    p_withdrawal.tax::pg_catalog.text,
    'net_amount', app.net_amount(p_withdrawal)::pg_catalog.text, 'state', p_withdrawal.state, 'transfer_state',
    p_withdrawal.transfer_state, 'reason', p_withdrawal.reason,
    'add_time', app.utc(p_withdrawal.add_time), 'approved_at', app.utc(p_withdrawal.approved_at), 'paying_at',
    app.utc(p_withdrawal.paying_at),
    'ended_at', app.utc(p_withdrawal.ended_at)
  )
$$;

comment on function app.withdrawal_json is
  'Returns a withdrawal in the format of the API. net_amount is what the member receives; tax is 0 until it is fixed.';

grant execute on function app.withdrawal_json(app.withdrawals) to authenticated, store_admin;

create or replace function app.admin_withdrawal_json(p_withdrawal app.withdrawals)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.withdrawal_json(p_withdrawal) || jsonb_build_object(
    'uid', p_withdrawal.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_withdrawal.uid),
    'payment_ref', p_withdrawal.payment_ref, 'batch_id', p_withdrawal.batch_id, 'approved_by',
    app.actor_json(p_withdrawal.approved_by),
    'waits', p_withdrawal.state = 'requested' and p_withdrawal.approved_by is not null
  ) || (
    select jsonb_build_object(
      'debt', nullif(-least(c.withdrawable, 0.00), 0)::text,
      'held_by_refunds',
      case
        when p_withdrawal.state in ('requested', 'approved') then nullif(
          least(p_withdrawal.amount, c.held_beyond), 0
        )::text
      end
    )
    from (select) as one
    left join app.commission_parts(p_withdrawal.uid, clock_timestamp()) as c on p_withdrawal.ended_at is null
  )
$$;

comment on function app.admin_withdrawal_json is
  'Returns a withdrawal as administrators see it. debt is what the member owes, held_by_refunds what refund requests '
  'hold of it; null: nothing. waits: one administrator has approved it, and a second one must, too.';

-- Precondition: the caller runs with owner rights (app.other_administrator).
create or replace function app.withdrawal_waits_as(p_withdrawal app.withdrawals, p_by uuid, p_uid bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_withdrawal.ended_at is not null or p_withdrawal.uid = p_uid then null
    when p_withdrawal.approved_by = p_by and app.other_administrator('money', p_by, p_withdrawal.uid) then null
    when p_withdrawal.state = 'requested' then 'withdrawal_approval'
    when p_withdrawal.state = 'approved' and p_withdrawal.method <> 'wechat' then 'withdrawal_payment'
  end
$$;

comment on function app.withdrawal_waits_as is
  'Returns as which of app.waiting_kinds a withdrawal waits for the administrator p_by, whose own member is p_uid. '
  'Null if it is their own, WeChat pays it, or they approved it and another administrator can go on.';

-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_withdrawal(p_id bigint)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id for update;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return v_withdrawal;
end
$$;

comment on function app.lock_withdrawal is
  'Locks a withdrawal, which comes before balances in the lock order, and returns it.';

-- Only what was withdrawn, or taken by an adjustment or an opening balance, can make the withdrawable amount negative.
-- These members are few, and the commission that matures is summed only for them. Opening balances are read of the
-- table: only releases can stand elsewhere.
create or replace function app.debts(p_now timestamptz)
returns table (uid bigint, brokerage_price numeric, maturing numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select b.uid, b.brokerage_price, m.maturing
  from app.user_balances as b
  cross join lateral (select coalesce(sum(c.amount_left), 0.00) as maturing from app.maturing(b.uid, p_now) as c) as m
  where (
    b.brokerage_price < 0
    or b.uid in (select w.uid from app.withdrawals as w where not app.is_returned(w.state))
    or b.uid in (select a.uid from app.adjustments as a where a.state = 'booked' and a.brokerage_delta < 0)
    or b.uid in (select l.uid from app.user_bill as l where l.type = 'opening_balance' and l.brokerage_delta < 0)
  ) and b.brokerage_price < m.maturing
$$;

comment on function app.debts is
  'Returns the members whose withdrawable amount (balance less maturing) is negative: refunds, an adjustment or an '
  'opening balance took more than there was. Their next commission repays it.';

grant execute on function app.debts(timestamptz) to store_admin;

-- Precondition: the caller has locked the withdrawal, unless it is new, and the balances of the member.
-- Not idempotent: the caller changes the state of the withdrawal in the same transaction.
create or replace function app.book_withdrawal(p_withdrawal app.withdrawals, p_type text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.book_entries(
    array[app.new_entry(
      p_withdrawal.uid, p_type, 'withdrawal',
      p_brokerage => case p_type when 'withdrawal' then -p_withdrawal.amount else p_withdrawal.amount end,
      p_withdrawal_id => p_withdrawal.id
    )],
    '{}', '{}', p_now
  );
end
$$;

comment on function app.book_withdrawal is
  'Takes the amount of a withdrawal from the balance of its member (type withdrawal), or gives it back '
  '(withdrawal_returned).';

create or replace function app.withdrawal_event(p_withdrawal app.withdrawals)
returns app.event
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select (
    'withdrawal.' || p_withdrawal.state, p_withdrawal.id, p_withdrawal.uid,
    jsonb_build_object(
      'amount', p_withdrawal.amount::text, 'fee', p_withdrawal.fee::text, 'tax', p_withdrawal.tax::text, 'method',
      p_withdrawal.method
    ),
    null, null
  )::app.event
$$;

comment on function app.withdrawal_event is 'Returns the event that a withdrawal has reached its state.';

create or replace function app.check_payment_ref(p_payment_ref text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.is_line(p_payment_ref) then
    perform app.reject_text('/payment_ref');
  elsif char_length(p_payment_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment reference has 1 to 128 characters.', '/payment_ref');
  end if;
end
$$;

comment on function app.check_payment_ref is
  'Raises invalid_argument unless a reference of a payment, if there is one, is a line of 1 to 128 characters.';

-- A payment by hand needs an amount that is fixed, so with tax on, nothing is paid that was not paying before.
-- Precondition: the caller has locked the withdrawal.
-- Locks: the balances of the member if the money comes back, or becomes paying or paid.
-- Idempotent: a withdrawal in the state p_state is returned unchanged.
create or replace function app.move_withdrawal(
  p_withdrawal app.withdrawals, p_state text, p_now timestamptz, p_reason text default null,
  p_payment_ref text default null,
  p_held_by_refunds numeric default null
)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := p_withdrawal;
  v_now timestamptz;
  v_tax numeric := p_withdrawal.tax;
  v_returns constant boolean := app.is_returned(p_state);
  v_ends constant boolean := v_returns or p_state = 'paid';
begin
  if p_withdrawal.state = p_state then
    return p_withdrawal;
  elsif app.withdrawal_may_become(p_withdrawal.state, p_state) is not true then
    perform app.fail('withdrawal_state_conflict', format('This withdrawal is %s.', p_withdrawal.state));
  elsif not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif (v_returns and p_state <> 'cancelled') <> (p_reason is not null and app.is_visible(p_reason))
    or char_length(p_reason) > 500 then
    perform app.fail(
      'invalid_argument', 'A withdrawal that is not paid needs a reason of 1 to 500 characters.', '/reason'
    );
  elsif p_state <> 'paid' and p_payment_ref is not null then
    perform app.fail('invalid_argument', 'Only a paid withdrawal has a payment reference.', '/payment_ref');
  elsif p_state = 'paid' and p_withdrawal.state = 'approved' and app.tax_method(app.effect_time(p_now)) is not null then
    perform app.fail('withdrawal_state_conflict', case
      when p_withdrawal.account_id is null
        and p_withdrawal.method <> 'wechat'
          then 'The member was deleted, and the account with them. Refuse this withdrawal.'
      else 'Put this withdrawal into a batch first, which fixes its tax.'
    end);
  end if;
  perform app.check_payment_ref(p_payment_ref);
  if v_returns or p_withdrawal.state = 'approved' then
    perform app.lock_balances(array[p_withdrawal.uid]);
  end if;
  v_now := app.effect_time(p_now);
  if p_withdrawal.state = 'approved' and not v_returns then
    perform app.reject_holds(array[p_withdrawal.id], p_held_by_refunds, v_now);
  end if;
  if p_state = 'paying' then
    v_tax := app.withhold_tax(p_withdrawal, v_now);
  elsif v_returns then
    perform app.reverse_tax(p_withdrawal.id, v_now);
  end if;
  update app.withdrawals as w
  set state = p_state, tax = v_tax, reason = nullif(p_reason, ''), payment_ref = p_payment_ref,
      approved_at = case when v_ends then w.approved_at else coalesce(w.approved_at, v_now) end,
      paying_at = case p_state when 'paying' then v_now else w.paying_at end,
      ended_at = case when v_ends then v_now end
  where w.id = p_withdrawal.id
  returning w.* into v_withdrawal;
  if v_returns then
    perform app.book_withdrawal(v_withdrawal, 'withdrawal_returned', v_now);
  end if;
  if v_ends then
    update app.transfers as t set payee_name = null, package_info = null where t.withdrawal_id = v_withdrawal.id;
    perform app.finish_outbox('transfer', v_withdrawal.withdrawal_no);
  end if;
  if p_state <> 'paying' then
    perform app.write_events(array[app.withdrawal_event(v_withdrawal)], v_now);
  end if;
  return v_withdrawal;
end
$$;

comment on function app.move_withdrawal is
  'Moves a withdrawal to a state that app.withdrawal_may_become allows, and returns it. A refused or failed one needs '
  'a reason. The amount of one that is not paid returns to the balance, and its tax is reversed. p_held_by_refunds '
  'accepts what refund requests hold of one that becomes paying or paid (app.reject_holds).';

-- Nobody else pays a transfer by WeChat: the approval does.
-- Precondition: the caller runs with owner rights (app.other_administrator).
create or replace function app.needs_two_approvals(p_withdrawal app.withdrawals, p_by uuid)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_withdrawal.method = 'wechat' and p_by is not null
    and app.other_administrator('money', p_by, p_withdrawal.uid)
$$;

comment on function app.needs_two_approvals is
  'Returns whether two administrators must approve a withdrawal that p_by approves first, whatever its amount: by '
  'wechat, if there is a second one.';

-- Precondition: the caller has locked the sum of the administrator (app.lock_decided_alone), then the withdrawal, then
-- the balances of its member.
-- Idempotent: an approved withdrawal is returned unchanged, unless the caller accepts what refund requests hold of it
-- now. Whoever approved it first approves it alone as soon as the limit allows that.
create or replace function app.approve_withdrawal(
  p_withdrawal app.withdrawals, p_now timestamptz, p_by uuid default null, p_held_by_refunds numeric default null
)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := p_withdrawal;
  v_held numeric := p_withdrawal.held_accepted;
  v_waits boolean := false;
begin
  if p_withdrawal.state = 'requested' then
    if p_withdrawal.account_id is null
      and not exists (
        select from app.transfers as t where t.withdrawal_id = p_withdrawal.id and t.openid is not null
      ) then
      perform app.fail(
        'account_not_found', 'The member was deleted, and the account with them. Refuse this withdrawal.'
      );
    elsif exists (
      select from app.missing_real_name(p_withdrawal.uid) as m
      where p_withdrawal.amount >= m.amount_from and m.state <> 'none'
    ) then
      -- It sufficed when the withdrawal was requested. Whoever was not asked then is not asked now.
      perform app.fail(
        'withdrawal_state_conflict',
        'The real name of this member waits to be checked, or was refused. Check it first, or refuse this withdrawal, too.'
      );
    end if;
    if coalesce(p_withdrawal.approved_by = p_by, true) then
      v_waits := case
        when app.needs_two_approvals(p_withdrawal, p_by) then true
        else not app.decide_alone('withdrawal', p_withdrawal.amount, 0, p_by, p_withdrawal.uid, p_now)
      end;
    else
      perform app.reject_key_as_second();
    end if;
    v_held := app.reject_holds(array[p_withdrawal.id], p_held_by_refunds, app.effect_time(p_now));
    update app.withdrawals as w set approved_by = p_by where w.id = p_withdrawal.id;
  elsif p_withdrawal.state = 'approved' and p_held_by_refunds is not null then
    v_held := app.reject_holds(array[p_withdrawal.id], p_held_by_refunds, app.effect_time(p_now));
  end if;
  update app.withdrawals as w set held_accepted = v_held where w.id = p_withdrawal.id returning w.* into v_withdrawal;
  if v_waits then
    return v_withdrawal;
  end if;
  v_withdrawal := app.move_withdrawal(v_withdrawal, 'approved', p_now);
  perform app.ask_to_transfer(v_withdrawal, app.effect_time(p_now)) where v_withdrawal.method = 'wechat';
  return v_withdrawal;
end
$$;

comment on function app.approve_withdrawal is
  'Approves a requested withdrawal and returns it. Above the day''s limit of p_by, and by wechat if there is a second '
  'administrator, it stays requested until a second one approves it. By wechat, the approval pays it by the outbox. '
  'p_held_by_refunds accepts what refund requests hold (app.reject_holds). Raises an error if its account was deleted '
  'with the member, or their real name no longer suffices.';

-- Precondition: the caller has locked the withdrawal.
-- Locks: the balances of the member.
-- Idempotent: a cancelled withdrawal is returned unchanged.
create or replace function app.cancel_withdrawal(p_withdrawal app.withdrawals, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Above the limit, it stays requested until a second administrator approves it, too.
  if p_withdrawal.state = 'requested' and p_withdrawal.approved_by is not null then
    perform app.fail('withdrawal_state_conflict', 'The store has already begun to approve this withdrawal.');
  end if;
  return app.move_withdrawal(p_withdrawal, 'cancelled', p_now);
end
$$;

comment on function app.cancel_withdrawal is
  'Cancels a requested withdrawal for its member, returns its amount to the balance, and returns it. Not possible once '
  'an administrator has approved it.';

-- Locks: the withdrawals, by id.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_withdrawals(p_ids bigint[])
returns setof app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
  v_count integer := 0;
begin
  for v_withdrawal in select w.* from app.withdrawals as w where w.id = any (p_ids) order by w.id for update loop
    perform app.reject_own_member(v_withdrawal.uid);
    v_count := v_count + 1;
    return next v_withdrawal;
  end loop;
  if v_count < cardinality(p_ids) then
    perform app.fail('withdrawal_not_found');
  end if;
end
$$;

comment on function app.lock_withdrawals is
  'Locks withdrawals for an administrator and returns them. Raises withdrawal_not_found, or an error for one of their '
  'own.';

-- Returns a set and has no set clause, so that the planner can inline it. The caller has read the time zone, so that it
-- is read once.
create or replace function app.maturity(p_uid bigint, p_brokerage_price numeric, p_now timestamptz, p_time_zone text)
returns table (withdrawable numeric, held_by_refunds numeric, maturing numeric, after_receipt numeric, matures json)
language sql
stable
rows 1
as $$
  select p_brokerage_price - s.maturing - h.amount, h.amount, s.maturing, s.after_receipt, s.matures
  from (
    select coalesce(pg_catalog.sum(d.amount), 0.00) as maturing,
      coalesce(pg_catalog.sum(d.amount) filter (where d.day is null), 0.00) as after_receipt,
      coalesce(
        pg_catalog.json_agg(
          pg_catalog.json_build_object('date', d.day, 'amount', d.amount::pg_catalog.text) order by d.day
        ) filter (where d.day is not null),
        '[]'
      ) as matures
    from (
      select app.local_day(m.matures_at, p_time_zone) as day, pg_catalog.sum(m.amount_left) as amount
      from app.maturing(p_uid, p_now) as m
      where m.amount_left > 0
      group by 1
    ) as d
  ) as s
  cross join lateral (
    select app.held_of_matured(p_brokerage_price - s.maturing, coalesce(pg_catalog.sum(o.amount), 0.00)) as amount
    from app.held_orders(p_uid, p_now) as o
  ) as h
$$;

comment on function app.maturity is
  'Returns what of a balance can be withdrawn, is held and is maturing. after_receipt: what waits for the receipt of '
  'its order. matures: the business days with their amounts, as the API shows them. p_time_zone is that of the store.';

-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_withdrawal_action(
  p_function text, p_before app.withdrawals, p_after app.withdrawals
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- An approval that waits for a second one changes no state.
  v_waits constant jsonb := case
    when p_after.state = 'requested' and p_after.approved_by is not null then '{"waits": true}'::jsonb
    else '{}'
  end;
  v_recorded constant text[] := array['state', 'method', 'amount', 'fee', 'tax', 'batch_id', 'reason', 'payment_ref'];
begin
  perform app.record_action(
    p_function, 'withdrawal', p_after.id::text,
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(p_before)) as e where e.key = any (v_recorded)),
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(p_after)) as e where e.key = any (v_recorded))
      || v_waits,
    array['state', 'method', 'amount', 'fee', 'tax', 'batch_id', 'waits']
  );
end
$$;

comment on function app.record_withdrawal_action is
  'Records an action on a withdrawal with its state and amounts, and of the reason and the payment reference only that '
  'they changed.';

create or replace function app.check_withdrawal_terms(p_amount numeric, p_method text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_terms app.settings := (select s from app.settings as s);
begin
  if p_method is null or p_method <> all (v_terms.withdrawal_methods) then
    perform app.fail('invalid_argument', 'The store does not pay out this way at present.', '/method');
  elsif p_amount is null or scale(trim_scale(p_amount)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.', '/amount');
  elsif p_amount < v_terms.withdrawal_minimum then
    perform app.fail('invalid_argument', format('A withdrawal is at least %s.', v_terms.withdrawal_minimum), '/amount');
  elsif p_amount > v_terms.withdrawal_maximum then
    perform app.fail('invalid_argument', format('A withdrawal is at most %s.', v_terms.withdrawal_maximum), '/amount');
  end if;
end
$$;

comment on function app.check_withdrawal_terms is
  'Raises invalid_argument unless the settings allow a withdrawal of this amount by this method.';

-- Locks: balances of the member, so that concurrent requests, refunds and adjustments run one after the other.
-- Not idempotent: each call makes a request. A member has at most one open request.
create or replace function app.request_withdrawal(
  p_uid bigint, p_amount numeric, p_method text, p_account_id bigint, p_now timestamptz, p_payee_name text default null
)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account app.payout_accounts;
  v_withdrawal app.withdrawals;
  v_parts record;
  v_now timestamptz;
begin
  perform app.require_user(p_uid);
  perform app.check_withdrawal_terms(p_amount, p_method);
  perform app.check_transfer_terms(p_amount, p_method, p_payee_name);
  perform app.lock_balances(array[p_uid]);
  perform app.reject_leaving(p_uid);
  perform app.require_real_name(p_uid, p_amount);
  v_now := app.effect_time(p_now);
  select a.* into v_account from app.payout_accounts as a
  where a.id = p_account_id and a.uid = p_uid and a.method = p_method and a.deleted_at is null;
  if v_account.id is null and (p_method <> 'wechat' or p_account_id is not null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.uid = p_uid and w.ended_at is null) then
    perform app.fail('withdrawal_open', 'Your last withdrawal is not finished yet.');
  end if;
  v_parts := app.commission_parts(p_uid, app.trusted_time(p_now));
  if p_amount > v_parts.withdrawable then
    perform app.fail('withdrawal_exceeds_balance', case
      when v_parts.held_by_refunds > 0
        then format(
          'You can withdraw at most %s now. Open refund requests hold %s.', greatest(v_parts.withdrawable, 0),
          v_parts.held_by_refunds
        )
      else format('You can withdraw at most %s now.', greatest(v_parts.withdrawable, 0))
    end);
  end if;
  insert into app.withdrawals (
    withdrawal_no, uid, method, account_id, account_hint, amount, fee, fee_rate, add_time
  )
  select
    'W' || app.dated_number(v_now, nextval('app.withdrawal_no_seq')),
    p_uid, p_method, v_account.id,
    case p_method
      when 'wechat' then 'WeChat'
      else concat_ws(' ', v_account.bank, app.masked_account(v_account.account_no))
    end,
    p_amount,
    app.withdrawal_fee(p_amount, s.withdrawal_fee_rate), s.withdrawal_fee_rate, v_now
  from app.settings as s
  returning * into v_withdrawal;
  perform app.book_withdrawal(v_withdrawal, 'withdrawal', v_now);
  perform app.add_transfer(v_withdrawal, p_payee_name) where p_method = 'wechat';
  perform app.write_events(array[app.withdrawal_event(v_withdrawal)], v_now);
  return v_withdrawal;
end
$$;

comment on function app.request_withdrawal is
  'Requests the withdrawal of commission that has matured by the trusted time and is not held, and returns it. The '
  'amount leaves the balance at once; the fee is that of the settings now. One by wechat goes to the account with '
  'which the member signs in.';

create or replace function app.withdrawal_line(p_row app.withdrawals, p_time_zone text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id::pg_catalog.text, 'no', p_row.withdrawal_no, 'uid', p_row.uid::pg_catalog.text, 'method',
    p_row.method, 'account', p_row.account_hint,
    'amount', p_row.amount::pg_catalog.text, 'fee', p_row.fee::pg_catalog.text, 'paid_out',
    (p_row.amount - p_row.fee)::pg_catalog.text,
    'state', p_row.state, 'reason', p_row.reason, 'payment_ref', p_row.payment_ref,
    'requested', app.local_time(p_row.add_time, p_time_zone),
    'approved', app.local_time(p_row.approved_at, p_time_zone),
    'ended', app.local_time(p_row.ended_at, p_time_zone),
    'tax', p_row.tax::pg_catalog.text, 'net', app.net_amount(p_row)::pg_catalog.text
  )
$$;

comment on function app.withdrawal_line is
  'Returns a withdrawal as a line of a CSV file: all values as text, the account masked, and times in p_time_zone '
  'with their offset.';

grant execute on function app.withdrawal_line(app.withdrawals, text) to store_admin;
