-- PL/pgSQL and a generic query plan: see app.frozen_until.
-- Raises: month_archived.
create or replace function app.balances_until(p_uid bigint, p_until timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform app.reject_archived_time('user_bill', p_until);
  return coalesce((
    select jsonb_build_object(
      'brokerage_price', b.brokerage_after::text, 'frozen_points', trim_scale(b.frozen_after), 'available_points', trim_scale(b.available_after)
    )
    from app.user_bill as b
    where b.uid = p_uid and b.add_time < p_until
    order by b.add_time desc, b.id desc
    limit 1
  ), (
    select jsonb_build_object('brokerage_price', a.brokerage::text, 'frozen_points', trim_scale(a.frozen), 'available_points', trim_scale(a.available))
    from app.archived_balances as a where a.uid = p_uid
  ), '{"brokerage_price": "0.00", "frozen_points": 0, "available_points": 0}');
end
$$;

comment on function app.balances_until is
  'Returns the three balances of a member at p_until: those of their last bill row before it, else what archived rows add up to, else zero.';

grant execute on function app.balances_until(bigint, timestamptz) to authenticated, store_admin;
