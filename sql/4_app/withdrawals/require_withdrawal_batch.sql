-- Raises: withdrawal_not_found.
create or replace function app.require_withdrawal_batch(p_id bigint)
returns app.withdrawal_batches
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
begin
  select b.* into v_batch from app.withdrawal_batches as b where b.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found', 'There is no such batch.');
  end if;
  return v_batch;
end
$$;

comment on function app.require_withdrawal_batch is 'Returns a batch, or raises withdrawal_not_found.';
