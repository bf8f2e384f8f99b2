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
    array[(
      p_withdrawal.uid, p_type, 'withdrawal', case p_type when 'withdrawal' then -p_withdrawal.amount else p_withdrawal.amount end,
      0, 0, null, null, null, null, null, null, p_withdrawal.id, null
    )::app.bill_entry],
    '{}', '{}', p_now
  );
end
$$;

comment on function app.book_withdrawal is
  'Takes the amount of a withdrawal from the balance of its member (type withdrawal), or gives it back (withdrawal_returned).';
