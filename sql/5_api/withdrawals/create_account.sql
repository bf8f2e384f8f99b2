-- Security definer: client roles have no write privilege on payout_accounts.
-- Locks: balances of the caller.
-- Raises: unauthenticated, invalid_argument, too_many_accounts.
-- Idempotent: adding the same account again returns the existing one.
create or replace function api.create_account(p_method text, p_holder text, p_account_no text, p_bank text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.payout_account_json(app.add_payout_account(app.require_uid(), p_method, p_holder, p_account_no, p_bank, null));
end
$$;

comment on function api.create_account is
  'Adds an account at a bank or at Alipay to which the caller can withdraw, and returns it with its number masked. Serves POST /api/account.';

grant execute on function api.create_account(text, text, text, text) to authenticated, store_admin;
