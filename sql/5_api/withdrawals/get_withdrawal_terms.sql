-- Security definer: the function has no parameter that names a member, and reads only the member of the verified token.
-- Raises: unauthenticated.
create or replace function api.get_withdrawal_terms(p_amount numeric default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_has_wechat boolean := exists (select from app.wechat_payee(v_uid));
begin
  return (
    select jsonb_build_object(
      'methods', to_jsonb(case when v_has_wechat then s.withdrawal_methods else array_remove(s.withdrawal_methods, 'wechat') end),
      'transfer', case when v_has_wechat and 'wechat' = any (s.withdrawal_methods) then jsonb_build_object(
        'minimum', s.transfer_minimum::text, 'maximum', s.transfer_maximum::text, 'name_from', s.transfer_name_from::text
      ) end,
      'minimum', s.withdrawal_minimum::text, 'maximum', s.withdrawal_maximum::text,
      'fee_rate', trim_scale(s.withdrawal_fee_rate), 'withdrawable', app.withdrawable(v_uid, clock_timestamp())::text,
      'open_withdrawal_id', (select w.id from app.withdrawals as w where w.uid = v_uid and w.ended_at is null),
      'fee', app.withdrawal_fee(p_amount, s.withdrawal_fee_rate)::text,
      'net_amount', (p_amount - app.withdrawal_fee(p_amount, s.withdrawal_fee_rate))::text
    )
    from app.settings as s
  );
end
$$;

comment on function api.get_withdrawal_terms is
  'Returns what the caller needs to know before a withdrawal: ways (wechat only if they sign in with it), limits, fee rate, what can be '
  'withdrawn now, the open withdrawal, and the fee of p_amount. Serves GET /api/withdrawal/terms.';

grant execute on function api.get_withdrawal_terms(numeric) to authenticated, store_admin;
