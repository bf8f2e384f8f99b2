-- Does what a verified notification asks for, and records it whatever comes of it. p_fault is what the edge function found
-- wrong with it beyond its signature, such as a foreign merchant; p_kind is payment, or other for what needs nothing done.
-- A provider repeats itself until it is content: of one event, the first 30 deliveries are kept.
-- Callers: api.record_payment_notification. Locks: the order. Raises: nothing. Safe twice: a repeated payment pays nothing.
create or replace function app.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text, p_order_no text, p_pay_ref text, p_amount numeric, p_currency text,
  p_now timestamptz, out outcome text, out reason text
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_id bigint;
begin
  if p_fault is not null then
    outcome := 'refused';
    reason := p_fault;
  elsif p_kind = 'payment' then
    select t.order_id, t.outcome, t.reason into v_order_id, outcome, reason
    from app.take_payment(p_provider, p_order_no, p_pay_ref, p_amount, p_currency, p_now) as t;
  else
    outcome := 'ignored';
    reason := 'not_a_payment';
  end if;

  if (
    select count(*) from (
      select from app.payment_notifications as n where n.provider = p_provider and n.event_id = p_event_id limit 30
    ) as known
  ) < 30 then
    insert into app.payment_notifications
      (provider, event_id, order_id, order_no, pay_ref, amount, currency, outcome, reason, add_time)
    values (p_provider, p_event_id, v_order_id, p_order_no, p_pay_ref, p_amount, p_currency, outcome, reason, app.moment(p_now));
  end if;
end
$$;
