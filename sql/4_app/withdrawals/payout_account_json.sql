create or replace function app.payout_account_json(p_account app.payout_accounts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_account.id, 'method', p_account.method, 'holder', p_account.holder, 'account_no', app.masked_account(p_account.account_no),
    'bank', p_account.bank, 'add_time', app.utc(p_account.add_time)
  )
$$;

comment on function app.payout_account_json is 'Returns an account in the format of the API, its number masked.';
