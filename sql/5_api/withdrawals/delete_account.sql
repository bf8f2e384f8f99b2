-- Security definer: client roles have no write privilege on payout_accounts.
-- Locks: balances of the caller.
-- Raises: unauthenticated, account_not_found (also for an account of another member), account_in_use.
-- Idempotent in effect: a second call raises account_not_found and changes nothing.
create or replace function api.delete_account(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.delete_payout_account(app.require_uid(), p_id, null);
  return jsonb_build_object('id', p_id);
end
$$;

comment on function api.delete_account is
  'Deletes an account to which the caller withdraws, unless an open withdrawal goes to it. Serves DELETE /api/account/{id}.';

grant execute on function api.delete_account(bigint) to authenticated, store_admin;
