-- What clients may call about payout accounts, and administrators about debts.

-- Locks: balances of the caller.
-- Idempotent: adding the same account again returns the existing one.
create or replace function api.create_account(p_method text, p_holder text, p_account_no text, p_bank text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.payout_account_json(
    app.add_payout_account(app.require_uid(), p_method, p_holder, p_account_no, p_bank, null)
  );
end
$$;

comment on function api.create_account is
  'Adds an account to which the caller can withdraw, and returns it, its number masked. Serves POST /api/account.';

grant execute on function api.create_account(text, text, text, text) to authenticated, store_admin;

-- Locks: balances of the caller.
-- Idempotent: an account is deleted once. A second call raises account_not_found.
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
  'Deletes a payout account of the caller, unless an open withdrawal goes to it. Serves DELETE /api/account/{id}.';

grant execute on function api.delete_account(bigint) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may
-- read the table.
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
  'Returns the payout accounts of the caller, newest first, their numbers masked. Serves GET /api/account.';

grant execute on function api.get_accounts() to authenticated, store_admin;

create or replace function api.get_debts(p_page integer default 1, p_limit integer default 20)
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
  return (
    with matching as materialized (
      select d.uid, d.brokerage_price, d.maturing, d.maturing - d.brokerage_price as debt
      from app.debts(clock_timestamp()) as d
    )
    select app.list_json(jsonb_agg(jsonb_build_object(
      'uid', l.uid, 'nickname', (select u.nickname from app.users as u where u.uid = l.uid), 'brokerage_price',
      l.brokerage_price::text,
      'maturing', l.maturing::text, 'debt', l.debt::text,
      'open_withdrawal_id', (select w.id from app.withdrawals as w where w.uid = l.uid and w.ended_at is null)
    ) order by l.debt desc, l.uid), (select count(*) from matching))
      || jsonb_build_object('total', (select coalesce(sum(m.debt), 0.00)::text from matching as m))
    from (select m.* from matching as m order by m.debt desc, m.uid offset v_skip limit p_limit) as l
  );
end
$$;

comment on function api.get_debts is
  'Returns one page of the members with a debt (app.debts), the largest first, and the sum of all debts. Serves GET '
  '/adminapi/debt.';

grant execute on function api.get_debts(integer, integer) to store_admin;
