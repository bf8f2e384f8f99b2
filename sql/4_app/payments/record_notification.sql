-- Providers repeat notifications. The first 30 deliveries of an event are recorded.
-- Raises: invalid_argument.
-- Not idempotent: each call is one delivery.
create or replace function app.record_notification(
  p_provider text, p_event_id text, p_order_id bigint, p_order_no text, p_pay_ref text, p_amount numeric, p_currency text, p_outcome text,
  p_reason text, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if (
    select count(*) from (
      select from app.payment_notifications as n where n.provider = p_provider and n.event_id = p_event_id limit 30
    ) as known
  ) < 30 then
    insert into app.payment_notifications
      (provider, event_id, order_id, order_no, pay_ref, amount, currency, outcome, reason, add_time)
    values (p_provider, p_event_id, p_order_id, p_order_no, p_pay_ref, p_amount, p_currency, p_outcome, p_reason, app.effect_time(p_now));
  end if;
end
$$;

comment on function app.record_notification is 'Records a notification of a provider with its outcome.';
