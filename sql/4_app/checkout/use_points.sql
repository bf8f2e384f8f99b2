-- Precondition: with p_locks, the caller has locked the products of the lines.
-- Locks: with p_locks, the balances of the buyer, so that nobody else spends the same points.
-- Raises: invalid_argument.
create or replace function app.use_points(p_uid bigint, p_lines app.order_lines[], p_use_points numeric, p_locks boolean)
returns app.order_lines[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_use_points not between 0 and 99999999999999 then
    perform app.fail('invalid_argument', 'The number of points to use must be 0 or more.', '/use_points');
  elsif p_locks then
    perform app.lock_balances(array[p_uid]);
  end if;
  return (
    select app.decide_points(p_lines, p_use_points, b.available_points, s.points_rate, s.points_max_share)
    from app.user_balances as b cross join app.settings as s
    where b.uid = p_uid
  );
end
$$;

comment on function app.use_points is
  'Returns the lines of an order with what the available points of its buyer pay for them, at most p_use_points.';
