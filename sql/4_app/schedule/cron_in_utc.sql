-- Raises: invalid_argument.
create or replace function app.cron_in_utc(p_schedule text, p_time_zone text, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_field text[] := regexp_match(p_schedule, '^(\*|\*/(?:[1-9]|[1-5][0-9])|[0-9]{1,2}) (\*|[0-9]{1,2}) \* \* (\*|[0-6])$');
  v_offset integer := extract(epoch from (p_now at time zone p_time_zone) - (p_now at time zone 'UTC'))::integer / 60;
  v_minute integer;
begin
  if v_field is null
    or (v_field[1] like '*%' and v_field[2] <> '*') or (v_field[2] = '*' and v_field[3] <> '*')
    or (v_field[1] !~ '\*' and v_field[1]::integer > 59) or (v_field[2] <> '*' and v_field[2]::integer > 23)
  then
    perform app.fail('invalid_argument', 'A schedule is "minute hour * * *", "minute hour * * weekday", "minute * * * *" or "*/n * * * *".');
  end if;
  if v_field[1] like '*%' then
    return p_schedule;
  elsif v_field[2] = '*' then
    return format('%s * * * *', (v_field[1]::integer - v_offset % 60 + 60) % 60);
  end if;
  v_minute := v_field[2]::integer * 60 + v_field[1]::integer - v_offset;
  return format(
    '%s %s * * %s', (v_minute + 2880) % 60, (v_minute + 2880) % 1440 / 60,
    case when v_field[3] = '*' then '*' else ((v_field[3]::integer + 7 + floor(v_minute / 1440.0)::integer) % 7)::text end
  );
end
$$;

comment on function app.cron_in_utc is
  'Converts a cron expression from the store''s time zone to UTC, with the offset of that zone at p_now. Supports `M H * * *` '
  '(daily), `M H * * D` (weekly, 0 is Sunday), `M * * * *` (hourly) and `*/N * * * *` (every N minutes).';
