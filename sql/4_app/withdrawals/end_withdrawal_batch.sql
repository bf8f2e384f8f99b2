-- Locks: the withdrawals, by id.
-- Raises: invalid_argument.
-- Idempotent: withdrawals that have ended stay as they are.
create or replace function app.end_withdrawal_batch(p_batch_id bigint, p_except_uid bigint, p_payment_ref text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if char_length(p_payment_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment reference has 1 to 128 characters.', '/payment_ref');
  end if;
  perform from app.withdrawals as w where w.batch_id = p_batch_id order by w.id for update;
  update app.withdrawals as w set state = 'paid', payment_ref = p_payment_ref, ended_at = app.effect_time(p_now)
  where w.batch_id = p_batch_id and w.state = 'paying' and w.uid is distinct from p_except_uid;
end
$$;

comment on function app.end_withdrawal_batch is
  'Marks all withdrawals of a batch that have not ended as paid, except those of p_except_uid, the administrator''s own member.';
