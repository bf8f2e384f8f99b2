-- Raises: invalid_argument.
create or replace function app.check_adjustment(p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if num_nonnulls(nullif(p_brokerage, 0), nullif(p_frozen, 0), nullif(p_available, 0)) = 0 then
    perform app.fail('invalid_argument', 'An adjustment changes at least one balance.');
  elsif greatest(abs(p_brokerage), abs(p_frozen), abs(p_available)) > 100000000 then
    perform app.fail('invalid_argument', 'An adjustment changes a balance by at most 100000000.');
  elsif scale(trim_scale(p_brokerage)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.', '/brokerage');
  elsif scale(trim_scale(p_frozen)) > app.points_decimals() then
    perform app.fail('invalid_argument', 'Points have at most four decimals.', '/frozen_points');
  elsif scale(trim_scale(p_available)) > app.points_decimals() then
    perform app.fail('invalid_argument', 'Points have at most four decimals.', '/available_points');
  elsif p_reason is null or char_length(p_reason) not between 1 and 500 or not app.is_visible(p_reason) then
    perform app.fail('invalid_argument', 'An adjustment needs a reason of 1 to 500 characters.', '/reason');
  end if;
end
$$;

comment on function app.check_adjustment is 'Raises invalid_argument unless an adjustment has amounts that can be booked, and a reason.';
