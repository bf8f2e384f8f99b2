-- What an order paid is booked with its settlement, or later. Archived months are the oldest, so this row decides for all.
create or replace function app.is_order_archived(p_order_id bigint)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from app.settlements as s
    where s.order_id = p_order_id and s.state <> 'imported' and s.settled_at < app.archived_until('user_bill')
  );
end
$$;

comment on function app.is_order_archived is 'Returns whether what an order paid is in an archived month of the bill.';

grant execute on function app.is_order_archived(bigint) to authenticated, store_admin;
