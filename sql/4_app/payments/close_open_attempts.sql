-- Precondition: the caller has locked the order.
create or replace function app.close_open_attempts(p_order_id bigint, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.ask_to_close(a, p_now, p_now) from app.payment_attempts as a where a.order_id = p_order_id and a.state = 'open' order by a.id
$$;

comment on function app.close_open_attempts is
  'Adds calls to the outbox, due now, that close all open payment attempts of an order, because the order can no longer be paid.';
