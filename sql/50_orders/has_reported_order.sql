-- Whether a member has a reported order of their own, paid no later than a moment and not refunded (R4).
-- Callers: find_earner, brokerage_progress. Reads only, one index probe.
create or replace function app.has_reported_order(p_uid bigint, p_paid_by timestamptz)
returns boolean
language sql
stable
set search_path = ''
as $$
  select exists (
    select from app.orders as o
    where o.uid = p_uid and o.paid_at <= p_paid_by and o.queue_units > 0 and o.refund_status <> 2
  )
$$;

grant execute on function app.has_reported_order(bigint, timestamptz) to authenticated, store_admin;
