-- Errors, times, rounding and the numbers of locks: what every function may use.

create or replace function app.fail(
  p_code text, p_detail text default null, p_field text default null, p_retry_after integer default null
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_status text := coalesce((select c.status::text from app.error_codes() as c where c.code = p_code), '500');
begin
  if p_retry_after is not null then
    raise exception using errcode = 'PT' || v_status, message = p_code, detail = p_detail, hint = p_retry_after::text;
  end if;
  raise exception using errcode = 'PT' || v_status, message = p_code, detail = coalesce(p_detail, ''),
    column = coalesce(p_field, '');
end
$$;

comment on function app.fail is
  'Raises an error of the store. SQLSTATE: ''PT'' and the HTTP status. Message: the code. Detail: a sentence for '
  'clients. Column: the field at fault, a JSON Pointer such as /plan/payout_cap. Several fields have a line each in '
  'detail and column. Hint: seconds after which a retry may succeed.';

-- Security-invoker functions of schema api raise errors as the caller.
grant execute on function app.fail(text, text, text, integer) to anon, authenticated, store_admin, service_role,
  store_api;

create or replace function app.require_time(p_now timestamptz)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_now is null or p_now < '2000-01-01T00:00:00Z' or p_now >= '3000-01-01T00:00:00Z' then
    perform app.fail('invalid_argument', 'The time must be between the years 2000 and 3000.');
  end if;
end
$$;

comment on function app.require_time is
  'Raises invalid_argument unless p_now is a time between the years 2000 and 3000.';

-- Precondition: the caller holds its locks. A transaction that waited then gets a later time than those it waited for,
-- and times follow the sequence of bookings.
create or replace function app.effect_time(p_now timestamptz)
returns timestamptz
language plpgsql
volatile
as $$
begin
  if p_now is null then
    return pg_catalog.clock_timestamp();
  end if;
  perform app.require_time(p_now);
  return p_now;
end
$$;

comment on function app.effect_time is
  'Returns the time at which a change takes effect: p_now, or the current time if p_now is null.';

create or replace function app.forgotten_text()
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 'Deleted member'
$$;

comment on function app.forgotten_text is
  'Returns what replaces a text that an administrator wrote about a member whose account was deleted.';

create or replace function app.local_time(p_at timestamptz, p_time_zone text)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_at at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS')
    || case when (p_at at time zone p_time_zone) < (p_at at time zone 'UTC') then '-' else '+' end
    || pg_catalog.to_char(
      greatest(
        (p_at at time zone p_time_zone) - (p_at at time zone 'UTC'),
        (p_at at time zone 'UTC') - (p_at at time zone p_time_zone)
      ),
      'HH24:MI'
    )
$$;

comment on function app.local_time is
  'Returns a time in the format of CSV files, for example 2026-11-01 00:00:00+08:00. Null gives null.';

grant execute on function app.local_time(timestamptz, text) to authenticated, store_admin;

create or replace function app.reject_change()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'restrict_violation', message = format('rows of %I are never changed or deleted', tg_table_name);
end
$$;

comment on function app.reject_change is 'Trigger: rejects every update, delete and truncate of an append-only table.';

create or replace function app.reject_text(p_field text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail(
    'invalid_argument',
    'Control characters and marks of text direction are not allowed; a single line has no line breaks, tabs or characters without width, either.',
    p_field
  );
end
$$;

comment on function app.reject_text is
  'Raises invalid_argument for a text that app.is_text or app.is_line rejects, at the field p_field of the request.';

create or replace function app.reject_value(p_constraint text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('invalid_argument', case
    when p_constraint = '' then 'A value is missing or too large.'
    else 'A value violates this rule: ' || replace(p_constraint, '_', ' ') || '.'
  end);
end
$$;

comment on function app.reject_value is
  'Raises invalid_argument for a row that a table rejected. The detail names the violated constraint; empty: a value '
  'is missing or too large.';

create or replace function app.utc(p_at timestamptz)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

comment on function app.utc is
  'Returns a time in the format of the API: RFC 3339 in UTC with milliseconds. Null gives null.';

grant execute on function app.utc(timestamptz) to anon, authenticated, store_admin;

create or replace function app.local_day(p_at timestamptz, p_time_zone text)
returns date
language sql
stable
as $$
  select (p_at at time zone p_time_zone)::pg_catalog.date
$$;

comment on function app.local_day is 'Returns the day of a point in time in a time zone. See app.business_day.';

grant execute on function app.local_day(timestamptz, text) to authenticated, store_admin;

-- Has no search path of its own, so that the planner can inline it. Where clocks change at midnight, that midnight does
-- not exist, and the day begins at one o'clock, or it comes twice. Of two, Postgres takes the second.
create or replace function app.local_day_begins(p_day date, p_time_zone text)
returns timestamptz
language sql
stable
as $$
  select case
    when app.local_day((p_day::timestamp at time zone p_time_zone) - interval '1 hour', p_time_zone) = p_day
    then (p_day::timestamp at time zone p_time_zone) - interval '1 hour'
    else p_day::timestamp at time zone p_time_zone
  end
$$;

comment on function app.local_day_begins is
  'Returns when a day begins in a time zone: the first point in time whose app.local_day it is.';

grant execute on function app.local_day_begins(date, text) to store_admin;

-- Has no set clause, so that the planner can inline it. With a constant name it costs nothing at run time. Advisory
-- locks ignore null, so an unknown name would lock nothing: supabase/tests/rules/numbers_every_advisory_lock.test.sql.
create or replace function app.lock_number(p_lock text)
returns integer
language sql
immutable
parallel safe
as $$
  select case p_lock
    when 'structure' then 74010001
    when 'balances' then 74010002
    when 'unverified_notifications' then 74010003
    when 'idempotency_key' then 74010004
    when 'unpaid_orders' then 74010005
    when 'addresses' then 74010006
    when 'team_totals' then 74010007
    when 'import' then 74010008
    when 'settlement' then 74010009
    when 'day_sums' then 74010010
  end
$$;

comment on function app.lock_number is
  'Returns the number of an advisory lock. structure is the referral tree, balances the queue before balance rows, '
  'settlement the slots of app.lead_settlement.';

create or replace function app.money_decimals()
returns integer
language sql
immutable
parallel safe
as $$
  select 2
$$;

comment on function app.money_decimals is 'Returns the number of decimals of money.';

grant execute on function app.money_decimals() to store_admin;

create or replace function app.page_read_limit()
returns integer
language sql
immutable
parallel safe
as $$
  select 10000
$$;

comment on function app.page_read_limit is
  'Returns how many members or orders a page of a team list or the level review may read before it returns a cursor.';

create or replace function app.points_decimals()
returns integer
language sql
immutable
parallel safe
as $$
  select 4
$$;

comment on function app.points_decimals is 'Returns the number of decimals of points.';

grant execute on function app.points_decimals() to authenticated, store_admin;

-- Has no set clause, so that the planner can inline it; pg_catalog is always searched first.
create or replace function app.round_down(p_value numeric, p_decimals integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.trunc(p_value, p_decimals)
$$;

comment on function app.round_down is 'Rounds towards zero. Money has 2 decimals, points have 4.';

grant execute on function app.round_down(numeric, integer) to authenticated, store_admin;

create or replace function app.require_hex(p_hex text, p_bytes integer, p_field text)
returns bytea
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_hex is null or p_hex !~ '^([0-9a-f]{2})+$' or length(p_hex) <> 2 * p_bytes then
    perform app.fail('invalid_argument', format('Expected %s hexadecimal digits.', 2 * p_bytes), p_field);
  end if;
  return decode(p_hex, 'hex');
end
$$;

comment on function app.require_hex is
  'Returns p_bytes bytes that are written as hexadecimal digits. Raises invalid_argument for any other text.';
