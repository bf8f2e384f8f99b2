create or replace function app.withdrawal_batch_json(p_batch app.withdrawal_batches)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_batch.id, 'batch_no', p_batch.batch_no, 'method', p_batch.method, 'withdrawals', p_batch.withdrawals, 'amount', p_batch.amount::text,
    'created_by', app.actor_json(p_batch.created_by), 'add_time', app.utc(p_batch.add_time)
  ) || (
    select jsonb_build_object(
      'paying', count(*) filter (where w.state = 'paying'), 'paid', count(*) filter (where w.state = 'paid'),
      'failed', count(*) filter (where w.state = 'failed')
    )
    from app.withdrawals as w where w.batch_id = p_batch.id
  )
$$;

comment on function app.withdrawal_batch_json is 'Returns a batch in the format of the API, with the number of its withdrawals in each state.';

grant execute on function app.withdrawal_batch_json(app.withdrawal_batches) to store_admin;
