-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may read the
-- table.
-- Raises: unauthenticated.
create or replace function api.get_accounts()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select coalesce(jsonb_agg(app.payout_account_json(a) order by a.id desc), '[]')
    from app.payout_accounts as a where a.uid = v_uid and a.deleted_at is null
  );
end
$$;

comment on function api.get_accounts is
  'Returns the accounts to which the caller withdraws, newest first, their numbers masked. Serves GET /api/account.';

grant execute on function api.get_accounts() to authenticated, store_admin;
