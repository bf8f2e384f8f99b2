-- What clients may call about batches and transfers.

-- Security definer: no client role may write withdrawals or notifications.
-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function api.record_transfer_notification(
  p_provider text, p_event_id text, p_withdrawal_no text, p_openid text, p_amount_minor bigint, p_state text,
  p_provider_ref text default null, p_reason text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  v_result := app.record_transfer_notification(
    p_provider, p_event_id, p_withdrawal_no, p_openid, p_amount_minor / 100.0, p_state, left(p_provider_ref, 128),
    left(p_reason, 128), null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_transfer_notification is
  'Applies a notification of a transfer with a verified signature, and returns its outcome and reason '
  '(app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST '
  '/api/pay/notify/{provider}.';

grant execute on function api.record_transfer_notification(
  text, text, text, text, bigint, text, text, text
) to service_role;

-- Locks: the withdrawal, then the balances of its member.
-- Idempotent: see app.begin_transfer.
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
  'Moves an approved withdrawal by wechat to paying and returns what WeChat is told: {appid, openid, payee_name, '
  'amount_minor, must_cancel, may_request, can_be_confirmed, is_held}, {is_held} alone, or null (app.begin_transfer). '
  'First step of the worker.';

grant execute on function api.begin_transfer(text, text) to service_role;

-- Locks: the withdrawal.
-- Idempotent: a transfer that is being cancelled is queried again.
create or replace function api.cancel_transfer(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  perform app.require_admin('money');
  -- Row order: the withdrawal of one id.
  select l.* into v_withdrawal from app.lock_withdrawals(array[p_id]) as l;
  perform app.cancel_transfer(v_withdrawal, clock_timestamp());
  perform app.record_action(
    'cancel_transfer', 'withdrawal', p_id::text, jsonb_build_object('transfer_state', v_withdrawal.transfer_state),
    jsonb_build_object('transfer_state', 'cancelling')
  );
  return app.admin_withdrawal_json(v_withdrawal);
end
$$;

comment on function api.cancel_transfer is
  'Has WeChat cancel a transfer that the member has not confirmed, and returns the withdrawal (app.cancel_transfer). '
  'Serves PUT /adminapi/withdrawal/{id}/cancel.';

grant execute on function api.cancel_transfer(bigint) to store_admin;

-- Locks: the withdrawals, by id, then the balances of their members.
-- Not idempotent: each call makes a batch. A withdrawal is in at most one. After a lost response, the list of batches
-- shows whether the batch was made.
create or replace function api.create_withdrawal_batch(
  p_method text, p_ids jsonb default null, p_held_by_refunds numeric default null,
  p_leaves_out_held boolean default false
)
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
  v_batch := app.create_withdrawal_batch(
    p_method, v_ids, app.current_uid(), auth.uid(), null, p_held_by_refunds, p_leaves_out_held
  );
  perform app.record_action(
    'create_withdrawal_batch', 'withdrawal_batch', v_batch.id::text, null,
    jsonb_build_object(
      'batch_no', v_batch.batch_no, 'method', v_batch.method, 'withdrawals', v_batch.withdrawals, 'amount',
      v_batch.amount
    )
  );
  return app.withdrawal_batch_json(v_batch);
end
$$;

comment on function api.create_withdrawal_batch is
  'Puts approved withdrawals of a method (bank or alipay) into a batch and returns it (app.create_withdrawal_batch). '
  'p_ids null takes all that the administrator can pay. Serves POST /adminapi/withdrawal/batch.';

grant execute on function api.create_withdrawal_batch(text, jsonb, numeric, boolean) to store_admin;

-- Security definer: client roles may not execute app.other_administrator.
create or replace function api.preview_withdrawal_batch(p_method text)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.preview_withdrawal_batch(p_method, app.current_uid(), auth.uid(), clock_timestamp());
end
$$;

comment on function api.preview_withdrawal_batch is
  'Returns what a batch of all approved withdrawals of a method would take, without writing '
  '(app.preview_withdrawal_batch). Serves POST /adminapi/withdrawal/batch/preview.';

grant execute on function api.preview_withdrawal_batch(text) to store_admin;

-- Security definer: client roles cannot read payout_accounts. A batch and its accounts do not change between two pages,
-- except that the account of a member who is deleted becomes empty.
create or replace function api.get_withdrawal_batch_rows(
  p_id bigint, p_after bigint default 0, p_limit integer default 1000
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
begin
  perform app.require_admin('money');
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'limit is between 1 and 1000.');
  end if;
  v_batch := app.require_withdrawal_batch(p_id);
  return (
    select jsonb_build_object(
      'batch_no', v_batch.batch_no,
      'lines', coalesce(jsonb_agg(jsonb_build_object(
        'withdrawal_no', l.withdrawal_no, 'holder', a.holder, 'account_no', a.account_no, 'bank', a.bank, 'amount',
        app.net_amount(l)::text
      ) order by l.id), '[]'),
      'next_cursor', case when count(*) = p_limit then max(l.id)::text end
    )
    from (
      select w.* from app.withdrawals as w where w.batch_id = p_id and w.id > coalesce(p_after, 0) order by w.id
      limit p_limit
    ) as l
    left join app.payout_accounts as a on a.id = l.account_id
  );
end
$$;

comment on function api.get_withdrawal_batch_rows is
  'Returns the next rows of the file of a batch, after p_after by id, with unmasked account numbers. next_cursor is '
  'the id of the last row if there can be more. Serves GET /adminapi/withdrawal_batch/{id} and GET '
  '/adminapi/withdrawal_batch/{id}/xlsx.';

grant execute on function api.get_withdrawal_batch_rows(bigint, bigint, integer) to store_admin;

create or replace function api.get_withdrawal_batches(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select app.list_json(
      jsonb_agg(app.withdrawal_batch_json(l) order by l.id desc), (select count(*) from app.withdrawal_batches)
    )
    from (
      select b.* from app.withdrawal_batches as b order by b.id desc offset app.check_page(p_page, p_limit)
      limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_withdrawal_batches is
  'Returns one page of the batches, newest first, with the number of their withdrawals in each state. Serves GET '
  '/adminapi/withdrawal_batch.';

grant execute on function api.get_withdrawal_batches(integer, integer) to store_admin;

-- Locks: the withdrawals, by id.
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
  perform app.end_withdrawal_batch(p_id, app.current_uid(), p_payment_ref, auth.uid(), null);
  v_after := app.withdrawal_batch_json(v_batch);
  perform app.record_action(
    'mark_withdrawal_batch_paid', 'withdrawal_batch', p_id::text, v_before, v_after, array['paying', 'paid', 'failed']
  );
  return v_after;
end
$$;

comment on function api.mark_withdrawal_batch_paid is
  'Records that the withdrawals of a batch that are still paying were paid, except the administrator''s own, and '
  'returns the batch. Failed ones must be marked first. Serves PUT /adminapi/withdrawal_batch/{id}/paid.';

grant execute on function api.mark_withdrawal_batch_paid(bigint, text) to store_admin;

-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function api.record_transfer_state(
  p_withdrawal_no text, p_state text, p_provider_ref text default null, p_reason text default null,
  p_package_info text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object(
    'state',
    (
      app.record_transfer_state(p_withdrawal_no, p_state, p_provider_ref, left(p_reason, 128), p_package_info, null)
    ).state
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the response is too long.');
end
$$;

comment on function api.record_transfer_state is
  'Records what WeChat reported about a transfer, and returns the state of the withdrawal: paying while WeChat has not '
  'decided. Last step of the worker.';

grant execute on function api.record_transfer_state(text, text, text, text, text) to service_role;
