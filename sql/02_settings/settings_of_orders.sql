-- Settings of orders: their times, and how much of a limited stock they hold without being paid.

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_order_times(
  p_payment_minutes integer, p_order_expiry_minutes integer, p_offline_payment boolean, p_offline_payment_days integer, p_receipt_days integer,
  p_refund_window_days integer, p_payment_query_minutes jsonb
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
  elsif p_payment_query_minutes is not null and (case
    when jsonb_typeof(p_payment_query_minutes) = 'array' then jsonb_array_length(p_payment_query_minutes) > 10
      or p_payment_query_minutes @? 'strict $[*] ? (@.type() != "number" || @ < 1 || @ > 1440 || @.floor() != @)'
    else true
  end) then
    perform app.fail('invalid_argument', 'The times to look up a payment must be at most ten whole numbers between 1 and 1440 minutes.', '/payment_query_minutes');
  end if;
  update app.settings as s
  set payment_minutes = coalesce(p_payment_minutes, s.payment_minutes),
      order_expiry_minutes = coalesce(p_order_expiry_minutes, s.order_expiry_minutes),
      offline_payment = coalesce(p_offline_payment, s.offline_payment),
      offline_payment_days = coalesce(p_offline_payment_days, s.offline_payment_days),
      receipt_days = coalesce(p_receipt_days, s.receipt_days),
      refund_window_days = coalesce(p_refund_window_days, s.refund_window_days),
      payment_query_minutes = case
        when p_payment_query_minutes is null then s.payment_query_minutes
        else array(select distinct m.minutes::integer from jsonb_array_elements_text(p_payment_query_minutes) as m (minutes) order by 1)
      end
  where s.id;
end
$$;

comment on function app.set_order_times is
  'Changes the settings that say when payments end and when providers are asked for them, when unpaid orders expire, when receipt is confirmed automatically and for how '
  'long orders are refunded as a matter of course. A null argument leaves its setting unchanged. Open orders follow the new times, open payments keep the time at which they end.';

-- Locks: the row of app.settings.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_stock_limits(p_max_unpaid_units integer, p_max_unpaid_share numeric, p_first_order_minutes integer)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_max_unpaid_units not between 1 and 1000000 then
    perform app.fail('invalid_argument', 'The unpaid units of a member must be between 1 and 1000000.', '/max_unpaid_units');
  elsif p_max_unpaid_share not between 0 and 1 or scale(trim_scale(p_max_unpaid_share)) > 5 then
    perform app.fail('invalid_argument', 'The share of a stock must be between 0 and 1, with at most five decimals.', '/max_unpaid_share');
  elsif p_first_order_minutes not between 5 and 129600 then
    perform app.fail('invalid_argument', 'The time to pay a first order must be between 5 and 129600 minutes.', '/first_order_minutes');
  end if;
  update app.settings as s
  set max_unpaid_units = coalesce(p_max_unpaid_units, s.max_unpaid_units), max_unpaid_share = coalesce(p_max_unpaid_share, s.max_unpaid_share),
      first_order_minutes = coalesce(p_first_order_minutes, s.first_order_minutes)
  where s.id;
end
$$;

comment on function app.set_stock_limits is
  'Changes how much of a limited stock a member can hold without paying, and for how long if they have never paid. A null argument leaves its setting unchanged. Open orders keep '
  'their units and follow the new time.';
