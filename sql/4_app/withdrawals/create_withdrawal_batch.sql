-- Locks: the withdrawals, by id. A concurrent call waits for those and finds them paying.
-- Raises: invalid_argument, withdrawal_state_conflict.
-- Not idempotent: but each withdrawal is in at most one batch.
create or replace function app.create_withdrawal_batch(
  p_method text, p_ids bigint[], p_except_uid bigint, p_created_by uuid, p_now timestamptz
)
returns app.withdrawal_batches
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_batch app.withdrawal_batches;
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'A batch is for a bank or for Alipay.', '/method');
  end if;
  select array_agg(l.id) into v_ids
  from (
    select w.id from app.withdrawals as w
    where w.state = 'approved' and w.method = p_method and w.account_id is not null
      and (p_ids is null or w.id = any (p_ids)) and w.uid is distinct from p_except_uid
    order by w.id
    limit 10000
    for update
  ) as l;
  if v_ids is null or cardinality(v_ids) < cardinality(p_ids) then
    perform app.fail('withdrawal_state_conflict', 'A batch takes only approved withdrawals of its method, and at least one.');
  end if;
  insert into app.withdrawal_batches (method, withdrawals, amount, created_by, add_time)
  select p_method, count(*), sum(w.amount - w.fee), p_created_by, app.effect_time(p_now)
  from app.withdrawals as w where w.id = any (v_ids)
  returning * into v_batch;
  update app.withdrawals as w set state = 'paying', paying_at = v_batch.add_time, batch_id = v_batch.id where w.id = any (v_ids);
  return v_batch;
end
$$;

comment on function app.create_withdrawal_batch is
  'Puts approved withdrawals of a method into a batch, moves them to paying and returns the batch. p_ids names the withdrawals; null takes '
  'all, at most the 10,000 oldest. Withdrawals of p_except_uid, the administrator''s own member, stay as they are.';
