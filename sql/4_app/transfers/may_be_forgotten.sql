-- A day before the end of the 30 days, so that no clock of WeChat is relied on.
create or replace function app.may_be_forgotten(p_transfer app.transfers, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(p_transfer.first_asked_at <= p_now - interval '29 days', false)
$$;

comment on function app.may_be_forgotten is
  'Returns whether WeChat may not know a transfer any more although it was requested. From then on it is never requested, because it could be '
  'paid again.';
