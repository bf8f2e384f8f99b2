-- WeChat can be queried about a transfer for 30 days.
create or replace function app.ends_by_hand(p_transfer app.transfers, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(p_transfer.first_asked_at <= p_now - interval '30 days', false)
$$;

comment on function app.ends_by_hand is
  'Returns whether WeChat no longer reports how a transfer ended, so that an administrator has to record it.';
