-- Security definer: client roles cannot read payout_accounts.
-- A batch and its accounts do not change between two pages, except that the account of a member who is deleted becomes empty.
-- Raises: forbidden, withdrawal_not_found, invalid_argument.
create or replace function api.get_withdrawal_batch_rows(p_id bigint, p_after bigint default 0, p_limit integer default 1000)
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
        'withdrawal_no', l.withdrawal_no, 'holder', a.holder, 'account_no', a.account_no, 'bank', a.bank, 'amount', (l.amount - l.fee)::text
      ) order by l.id), '[]'),
      'next_cursor', case when count(*) = p_limit then max(l.id)::text end
    )
    from (
      select w.* from app.withdrawals as w where w.batch_id = p_id and w.id > coalesce(p_after, 0) order by w.id limit p_limit
    ) as l
    left join app.payout_accounts as a on a.id = l.account_id
  );
end
$$;

comment on function api.get_withdrawal_batch_rows is
  'Returns the next rows of the file of a batch: the withdrawals after p_after, by id, with unmasked account numbers. next_cursor is '
  'the id of the last row if there can be more. Serves GET /adminapi/withdrawal_batch/{id}.';

grant execute on function api.get_withdrawal_batch_rows(bigint, bigint, integer) to store_admin;
