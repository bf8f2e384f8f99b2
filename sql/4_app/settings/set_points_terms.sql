-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_points_terms(p_points_rate numeric, p_points_max_share numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_points_rate not between 0.01 and 999999.99 or scale(trim_scale(p_points_rate)) > 2 then
    perform app.fail('invalid_argument', 'The points for 1.00 must be between 0.01 and 999999.99, with at most two decimals.', '/points_rate');
  elsif p_points_max_share < 0 or p_points_max_share >= 1 or scale(trim_scale(p_points_max_share)) > 5 then
    perform app.fail('invalid_argument', 'The share that points can pay must be at least 0 and below 1, with at most five decimals.', '/points_max_share');
  end if;
  update app.settings as s
  set points_rate = coalesce(p_points_rate, s.points_rate), points_max_share = coalesce(p_points_max_share, s.points_max_share)
  where s.id;
end
$$;

comment on function app.set_points_terms is
  'Changes the settings that say how many points pay 1.00, and which share of a price points can pay at most; a share of 0 switches points '
  'at checkout off. A null argument leaves its setting unchanged. Orders that were placed before do not change.';
