-- Security definer: no client role can read transfers. Reads only withdrawals of the verified token's member.
-- Raises: unauthenticated, withdrawal_not_found (also for a withdrawal of another member).
create or replace function api.get_withdrawal(p_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id and w.uid = v_uid;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return app.withdrawal_json(v_withdrawal) || jsonb_build_object('confirmation', (
    select jsonb_build_object('mch_id', t.mchid, 'app_id', t.appid, 'package', t.package_info)
    from app.transfers as t
    where t.withdrawal_id = v_withdrawal.id and v_withdrawal.transfer_state = 'confirming' and t.package_info is not null and t.mchid is not null
      and t.cancel_at is null
  ));
end
$$;

comment on function api.get_withdrawal is
  'Returns a withdrawal of the caller and, while WeChat waits for the caller to confirm its transfer, what opens the confirmation page. Serves '
  'GET /api/withdrawal/{id}.';

grant execute on function api.get_withdrawal(bigint) to authenticated, store_admin;
