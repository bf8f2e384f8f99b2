-- Raises: forbidden, invalid_argument.
create or replace function api.get_withdrawal_batches(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.withdrawal_batch_json(l) order by l.id desc)
      from (select b.* from app.withdrawal_batches as b order by b.id desc offset v_skip limit p_limit) as l
    ), '[]'),
    'count', (select count(*) from app.withdrawal_batches)
  );
end
$$;

comment on function api.get_withdrawal_batches is
  'Returns one page of the batches, newest first, with the number of their withdrawals in each state. Serves GET '
  '/adminapi/withdrawal_batch.';

grant execute on function api.get_withdrawal_batches(integer, integer) to store_admin;
