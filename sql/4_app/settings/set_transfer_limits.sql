-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_transfer_limits(p_minimum numeric, p_maximum numeric, p_name_from numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_minimum numeric;
  v_maximum numeric;
begin
  select coalesce(p_minimum, s.transfer_minimum), case when p_maximum is null then s.transfer_maximum else nullif(p_maximum, 0) end
  into v_minimum, v_maximum
  from app.settings as s for update;
  if v_minimum not between 0.01 and 1000000 or v_minimum <> trunc(v_minimum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The smallest transfer must be between 0.01 and 1000000.00.', '/transfer_minimum');
  elsif v_maximum < v_minimum or v_maximum > 999999999999.99 or v_maximum <> trunc(v_maximum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The largest transfer must be at least the smallest; 0 means no limit.', '/transfer_maximum');
  elsif p_name_from not between 0.01 and 1000000 or p_name_from <> trunc(p_name_from, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The amount from which WeChat needs a name must be between 0.01 and 1000000.00.', '/transfer_name_from');
  end if;
  update app.settings as s
  set transfer_minimum = v_minimum, transfer_maximum = v_maximum, transfer_name_from = coalesce(p_name_from, s.transfer_name_from)
  where s.id;
end
$$;

comment on function app.set_transfer_limits is
  'Changes how much WeChat transfers at once, and from which amount on it needs the name of the member. A null argument leaves its setting '
  'unchanged; a maximum of 0 removes the limit.';
