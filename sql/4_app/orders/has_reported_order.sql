-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.has_reported_order(p_uid bigint, p_paid_by timestamptz)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from app.orders as o
    where o.uid = p_uid and o.paid_at <= p_paid_by and o.queue_units > 0 and o.refund_status <> 2 and not o.below_minimum
  );
end
$$;

comment on function app.has_reported_order is
  'Returns whether a member has an own reported order that was paid no later than p_paid_by and is not refunded (R4).';

grant execute on function app.has_reported_order(bigint, timestamptz) to store_admin;
