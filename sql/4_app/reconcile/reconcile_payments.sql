create or replace function app.reconcile_payments(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'paid_attempt_is_booked', format('payment %s', a.attempt_no), 'an order that it paid, or a notification that asks for attention', 'neither'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'paid'
      and not exists (select from app.orders as o where o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref)
      and not exists (
        select from app.payment_notifications as n
        where n.order_id = a.order_id and n.provider = a.provider and n.pay_ref = a.pay_ref and n.outcome = 'attention'
      )
    union all
    select 'open_attempt_is_to_be_closed', format('payment %s', a.attempt_no), 'a row of the outbox', 'none'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'open' and not exists (select from app.outbox as b where b.kind = 'close_payment' and b.key = a.attempt_no)
    union all
    select 'order_is_paid_by_one_attempt', format('order %s', a.order_id), 'one', count(*)::text
    from app.payment_attempts as a
    join app.orders as o on o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref
    where a.order_id between p_from and p_to and a.state = 'paid'
    group by a.order_id
    having count(*) > 1
    union all
    select 'outbox_row_has_not_failed', format('%s %s', b.kind, b.key), 'done', concat_ws(': ', format('failed after %s attempts', b.attempts), b.last_problem)
    from app.outbox as b
    where b.state = 'failed' and p_from = 0;
end
$$;

comment on function app.reconcile_payments is
  'Finds payments at a provider that neither paid their order nor have the outcome attention, open payments that nobody will '
  'close, orders that were paid by two attempts, and calls to providers that have failed.';
