create or replace function app.transfer_json(p_withdrawal app.withdrawals, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'provider_ref', t.provider_ref, 'asked_at', app.utc(t.asked_at), 'cancelled_at', app.utc(t.cancel_at),
    'ends_by_hand', app.ends_by_hand(t, p_now),
    'call', (select app.outbox_json(o) from app.outbox as o where o.kind = 'transfer' and o.key = p_withdrawal.withdrawal_no)
  )
  from app.transfers as t where t.withdrawal_id = p_withdrawal.id
$$;

comment on function app.transfer_json is 'Returns the transfer of a withdrawal and its call in the outbox as administrators see them; null without a transfer.';
