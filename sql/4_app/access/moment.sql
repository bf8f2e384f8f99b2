-- The moment of an effect: the one given, or, without one, now. Asked for when the locks are held: whoever has waited for them
-- is dated after those who went before, so that dates follow the order of booking.
-- Callers: whatever books or changes an order, a member or a setting. Reads the clock. Raises: invalid_argument.
create or replace function app.moment(p_now timestamptz)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_now is null then
    return clock_timestamp();
  end if;
  perform app.require_time(p_now);
  return p_now;
end
$$;
