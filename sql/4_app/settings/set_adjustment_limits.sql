-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_adjustment_limits(p_money numeric, p_points numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_money not between 0 and 100000000 or p_money <> trunc(p_money, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The limit for adjustments of money must be between 0 and 100000000.00.', '/adjustment_limit_money');
  elsif p_points not between 0 and 100000000 or p_points <> trunc(p_points, app.points_decimals()) then
    perform app.fail('invalid_argument', 'The limit for adjustments of points must be between 0 and 100000000, with at most four decimals.', '/adjustment_limit_points');
  end if;
  update app.settings as s
  set adjustment_limit_money = coalesce(p_money, s.adjustment_limit_money), adjustment_limit_points = coalesce(p_points, s.adjustment_limit_points)
  where s.id;
end
$$;

comment on function app.set_adjustment_limits is
  'Changes the amounts up to which one administrator can adjust balances alone. A null argument leaves its limit unchanged. Waiting '
  'adjustments keep waiting.';
