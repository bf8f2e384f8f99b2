create or replace function app.reconcile_transfers()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'open_transfer_is_in_the_outbox', format('withdrawal %s', w.id), 'a row of the outbox', 'none'
  from app.withdrawals as w
  where w.method = 'wechat' and w.state in ('approved', 'paying')
    and not exists (select from app.outbox as o where o.kind = 'transfer' and o.key = w.withdrawal_no)
  union all
  select 'outbox_has_open_transfers_only', format('withdrawal %s', o.key), 'approved or paying', coalesce(w.state, 'unknown')
  from app.outbox as o left join app.withdrawals as w on w.withdrawal_no = o.key
  where o.kind = 'transfer' and coalesce(w.state, '') not in ('approved', 'paying')
  union all
  select 'withdrawal_to_wechat_has_a_transfer', format('withdrawal %s', w.id), 'a transfer', 'none'
  from app.withdrawals as w
  where w.method = 'wechat' and not exists (select from app.transfers as t where t.withdrawal_id = w.id)
  union all
  select 'transfer_was_requested_before_it_ended', format('withdrawal %s', w.id), 'a request', 'none'
  from app.withdrawals as w join app.transfers as t on t.withdrawal_id = w.id
  where w.transfer_state is not null and w.transfer_state <> 'cancelled' and t.first_asked_at is null
$$;

comment on function app.reconcile_transfers is
  'Finds withdrawals by wechat that WeChat is never asked about, calls for withdrawals that have ended, and transfers that nobody requested.';
