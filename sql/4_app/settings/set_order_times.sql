-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_order_times(
  p_payment_minutes integer, p_order_expiry_minutes integer, p_offline_payment boolean, p_offline_payment_days integer, p_receipt_days integer,
  p_refund_window_days integer
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_payment_minutes not between 5 and 1440 then
    perform app.fail('invalid_argument', 'The time to pay must be between 5 and 1440 minutes.', '/payment_minutes');
  elsif p_order_expiry_minutes not between 5 and 10080 then
    perform app.fail('invalid_argument', 'The time until an unpaid order expires must be between 5 and 10080 minutes.', '/order_expiry_minutes');
  elsif p_offline_payment_days not between 1 and 90 then
    perform app.fail('invalid_argument', 'The time to pay offline must be between 1 and 90 days.', '/offline_payment_days');
  elsif p_receipt_days not between 1 and 90 then
    perform app.fail('invalid_argument', 'The time until automatic receipt must be between 1 and 90 days.', '/receipt_days');
  elsif p_refund_window_days not between 0 and 3650 then
    perform app.fail('invalid_argument', 'The refund window must be between 0 and 3650 days.', '/refund_window_days');
  end if;
  update app.settings as s
  set payment_minutes = coalesce(p_payment_minutes, s.payment_minutes),
      order_expiry_minutes = coalesce(p_order_expiry_minutes, s.order_expiry_minutes),
      offline_payment = coalesce(p_offline_payment, s.offline_payment),
      offline_payment_days = coalesce(p_offline_payment_days, s.offline_payment_days),
      receipt_days = coalesce(p_receipt_days, s.receipt_days),
      refund_window_days = coalesce(p_refund_window_days, s.refund_window_days)
  where s.id;
end
$$;

comment on function app.set_order_times is
  'Changes the settings that say when payments end, when unpaid orders expire, when receipt is confirmed automatically and for how '
  'long orders are refunded as a matter of course. A null argument leaves its setting unchanged. Open orders follow the new times, open payments keep theirs.';
