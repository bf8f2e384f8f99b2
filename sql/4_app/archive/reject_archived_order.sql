-- Not stable, so that it sees months that were archived while the transaction waited for the structure lock.
-- Raises: order_archived.
create or replace function app.reject_archived_order(p_order_id bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.is_order_archived(p_order_id) then
    perform app.fail('order_archived', format(
      'The month %s of order %s is archived.',
      (select to_char(s.settled_at at time zone 'UTC', 'YYYY-MM') from app.settlements as s where s.order_id = p_order_id), p_order_id
    ));
  end if;
end
$$;

comment on function app.reject_archived_order is
  'Raises order_archived if what an order paid is in an archived month, so that no refund reverses nothing.';

grant execute on function app.reject_archived_order(bigint) to store_admin;
