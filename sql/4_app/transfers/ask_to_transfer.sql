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
  'Adds to the outbox the call that requests the transfer of a withdrawal and queries it until WeChat has decided.';
