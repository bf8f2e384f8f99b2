-- Raises: forbidden, invalid_argument.
create or replace function api.get_payment_notifications(
  p_outcome text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  v_list jsonb;
  v_next text;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  select
    coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id, 'provider', l.provider, 'event_id', l.event_id, 'order_id', l.order_id, 'order_no', l.order_no, 'pay_ref', l.pay_ref,
      'amount', l.amount::text, 'currency', l.currency, 'outcome', l.outcome, 'reason', l.reason, 'add_time', app.utc(l.add_time),
      'refund_state', case when l.outcome = 'attention' then app.payment_refund_state(l.provider, l.pay_ref) end
    ) order by l.add_time desc, l.id desc), '[]'),
    case when count(*) = p_limit then (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1] end
  into v_list, v_next
  from (
    select n.* from app.payment_notifications as n
    where (p_outcome is null or n.outcome = p_outcome) and (n.add_time, n.id) < (v_position.add_time, v_position.id)
    order by n.add_time desc, n.id desc
    offset v_position.skip
    limit p_limit
  ) as l;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next,
    'count', (select count(*) from app.payment_notifications as n where p_outcome is null or n.outcome = p_outcome)
  );
end
$$;

comment on function api.get_payment_notifications is
  'Returns one page of the recorded payment notifications, newest first, filtered by outcome. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/payment/notification.';

grant execute on function api.get_payment_notifications(text, integer, integer, text) to store_admin;
