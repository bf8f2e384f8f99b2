-- Precondition: the caller holds its locks. A transaction that waited then gets a later time than those it waited for, and times
-- follow the order of booking.
-- Raises: invalid_argument.
create or replace function app.effect_time(p_now timestamptz)
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

comment on function app.effect_time is 'Returns the time at which a change takes effect: p_now, or the current time if p_now is null.';
