-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: balances of the caller.
-- Raises: unauthenticated and what app.request_withdrawal raises.
-- Not idempotent: but while the request is open, another one raises withdrawal_open.
create or replace function api.create_withdrawal(p_amount numeric, p_method text, p_account_id bigint default null, p_payee_name text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.withdrawal_json(app.request_withdrawal(app.require_uid(), p_amount, p_method, p_account_id, null, p_payee_name));
end
$$;

comment on function api.create_withdrawal is
  'Requests the withdrawal of matured commission of the caller and returns it. The amount leaves the balance at once. '
  'p_payee_name is the name that WeChat needs for large amounts. Serves POST /api/withdrawal.';

grant execute on function api.create_withdrawal(numeric, text, bigint, text) to authenticated, store_admin;
