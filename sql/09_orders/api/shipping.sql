-- What clients may call about shipping.

create or replace function app.shipment_record(p_order jsonb)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'state', p_order -> 'state', 'carrier', p_order -> 'carrier', 'tracking_no', p_order -> 'tracking_no'
  )
$$;

comment on function app.shipment_record is
  'Returns what the action log keeps about the shipment of an order in the form of app.order_json.';

-- Locks: the order.
-- Idempotent: see app.deliver_order.
create or replace function api.deliver_order(
  p_order_id bigint, p_carrier text default null, p_tracking_no text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin('orders');
  perform app.reject_own_order(p_order_id);
  v_before := app.order_json(app.lock_order(p_order_id));
  perform app.deliver_order(p_order_id, null, p_carrier, p_tracking_no, auth.uid());
  -- A separate statement, so that order_json reads the changed order.
  v_after := app.order_json(app.lock_order(p_order_id));
  perform app.record_action(
    'deliver_order', 'order', p_order_id::text, app.shipment_record(v_before), app.shipment_record(v_after)
  );
  return v_after;
end
$$;

comment on function api.deliver_order is
  'Marks a paid order as shipped, or corrects its first parcel, and returns it (app.deliver_order). Serves PUT '
  '/adminapi/order/{id}/deliver.';

grant execute on function api.deliver_order(bigint, text, text) to store_admin;

-- Locks: the orders, by id.
-- Idempotent: a shipped order stays as it is.
create or replace function api.deliver_orders(p_ids jsonb, p_carrier text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_id bigint;
  v_order app.orders;
  v_after app.orders;
  v_result text;
  v_problem text;
  v_lines jsonb := '[]'::jsonb;
begin
  perform app.require_admin('orders');
  v_ids := app.require_ids(p_ids);
  perform from app.orders as o where o.id = any (v_ids) order by o.id for update;
  foreach v_id in array v_ids loop
    v_problem := null;
    begin
      perform app.reject_own_order(v_id);
      v_order := app.lock_order(v_id);
      v_result := case when v_order.delivered_at is null then 'shipped' else 'unchanged' end;
      v_after := v_order;
      if v_result = 'shipped' then
        v_after := app.deliver_order(v_id, null, p_carrier, null, auth.uid());
      end if;
      perform app.record_action(
        'deliver_orders', 'order', v_id::text, jsonb_build_object('state', v_order.state),
        jsonb_build_object('state', v_after.state)
          || case
            when v_result = 'shipped' and p_carrier is not null then jsonb_build_object('carrier', p_carrier)
            else '{}'
          end
      );
    exception when sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics v_problem = message_text;
      v_result := 'rejected';
    end;
    v_lines := v_lines || jsonb_build_object('id', v_id, 'result', v_result, 'problem', v_problem);
  end loop;
  if not jsonb_path_exists(v_lines, '$[*] ? (@.problem == null)') then
    perform app.fail(v_problem);
  end if;
  return jsonb_build_object('lines', v_lines);
end
$$;

comment on function api.deliver_orders is
  'Marks several paid orders as shipped without a tracking number. Returns shipped, unchanged or rejected for each, '
  'with the code of the error. Raises the last error if all are rejected. Serves PUT /adminapi/shipping/deliver.';

grant execute on function api.deliver_orders(jsonb, text) to store_admin;

-- Locks: the order.
-- Idempotent: see app.ship_parcel.
create or replace function api.add_parcel(p_order_id bigint, p_carrier text, p_tracking_no text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_parcels bigint;
  v_order app.orders;
begin
  perform app.require_admin('orders');
  perform app.reject_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  v_parcels := (select count(*) from app.parcels as l where l.order_id = p_order_id);
  v_order := app.ship_parcel(p_order_id, p_carrier, p_tracking_no, auth.uid(), null);
  perform app.record_action(
    'add_parcel', 'order', p_order_id::text, jsonb_build_object('state', v_before.state, 'parcels', v_parcels),
    jsonb_build_object(
      'state', v_order.state, 'parcels', (select count(*) from app.parcels as l where l.order_id = p_order_id)
    )
    || (
      select jsonb_build_object('carrier', l.carrier, 'tracking_no', l.tracking_no)
      from app.parcels as l where l.order_id = p_order_id and l.tracking_no = app.tracking_number(p_tracking_no)
    )
  );
  return app.order_json(v_order);
end
$$;

comment on function api.add_parcel is
  'Adds a parcel to an order that is paid or shipped, and returns the order, which is then shipped (app.ship_parcel). '
  'Serves POST /adminapi/order/{id}/parcel.';

grant execute on function api.add_parcel(bigint, text, text) to store_admin;

-- Locks: the order of the parcel.
-- Idempotent: see app.correct_parcel.
create or replace function api.set_parcel(p_id bigint, p_carrier text default null, p_tracking_no text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_id bigint;
  v_before app.parcels;
  v_after app.parcels;
begin
  perform app.require_admin('orders');
  select l.order_id into v_order_id from app.parcels as l where l.id = p_id;
  if not found then
    perform app.fail('parcel_not_found');
  end if;
  perform app.reject_own_order(v_order_id);
  perform app.lock_order(v_order_id);
  select l.* into v_before from app.parcels as l where l.id = p_id;
  v_after := app.correct_parcel(p_id, p_carrier, p_tracking_no);
  perform app.record_action(
    'set_parcel', 'order', v_order_id::text,
    jsonb_build_object('carrier', v_before.carrier, 'tracking_no', v_before.tracking_no),
    jsonb_build_object('carrier', v_after.carrier, 'tracking_no', v_after.tracking_no)
  );
  return app.order_json(app.lock_order(v_order_id));
end
$$;

comment on function api.set_parcel is
  'Corrects the carrier or the tracking number of a parcel and returns its order. Serves PUT /adminapi/parcel/{id}.';

grant execute on function api.set_parcel(bigint, text, text) to store_admin;

-- Security definer: no client role may execute app.check_shipment.
create or replace function api.preview_shipping(p_lines jsonb)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  -- Row order: that of the function.
  return app.shipment_json(
    array(select l from app.check_shipment(app.shipment_lines(p_lines), app.current_uid()) as l)
  );
end
$$;

comment on function api.preview_shipping is
  'Returns what each line of a carrier''s file would do (app.check_shipment), and changes nothing. Serves POST '
  '/adminapi/shipping/preview.';

grant execute on function api.preview_shipping(jsonb) to store_admin;

-- Locks: the orders, by id.
-- Idempotent: a line whose order has its parcel changes nothing.
create or replace function api.ship_orders(p_lines jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lines app.shipment_line[];
  v_checked app.checked_line[];
  v_line app.checked_line;
  v_carrier app.carriers;
  v_order app.orders;
begin
  perform app.require_admin('orders');
  v_lines := app.shipment_lines(p_lines);
  perform from app.orders as o where o.order_no = any (array(select l.order_no from unnest(v_lines) as l)) order by o.id
  for update;
  -- Row order: that of the function.
  v_checked := array(select l from app.check_shipment(v_lines, app.current_uid()) as l);
  if not exists (select from unnest(v_checked) as l where l.result <> 'rejected') then
    perform app.fail('order_state_conflict', 'None of these lines fits an order that waits for its shipment.');
  end if;
  for v_line in
    select l.line, l.order_no, l.order_id, l.carrier, l.tracking_no, l.result, l.problem
    from unnest(v_checked) with ordinality as l where l.result <> 'rejected' order by l.order_id, l.ordinality
  loop
    v_carrier := app.find_carrier(v_line.carrier);
    if v_line.result = 'fits' then
      select o.* into v_order from app.orders as o where o.id = v_line.order_id;
      perform app.add_parcel(v_order, v_carrier.name_zh, v_carrier.code, v_line.tracking_no, auth.uid(), null);
    end if;
    perform app.record_action(
      'ship_orders', 'order', v_line.order_id::text,
      case
        when v_line.result = 'fits' then jsonb_build_object(
          'state', v_order.state, 'carrier', null, 'tracking_no', null
        )
        else '{}'
      end,
      case
        when v_line.result = 'fits' then jsonb_build_object(
          'state', 'delivered', 'carrier', v_carrier.name_zh, 'tracking_no', v_line.tracking_no
        )
        else '{}'
      end
    );
  end loop;
  return app.shipment_json(v_checked);
end
$$;

comment on function api.ship_orders is
  'Ships the orders of up to 500 lines of a carrier''s file, and returns what each line did. A rejected line stops no '
  'other. Raises order_state_conflict if none fits. Serves POST /adminapi/shipping.';

grant execute on function api.ship_orders(jsonb) to store_admin;

create or replace function app.shipping_ids(p_ids jsonb)
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[] := array(select i.id from unnest(app.id_list(p_ids, 500)) as i (id) order by i.id);
begin
  if cardinality(v_ids) = 0 then
    perform app.fail('invalid_argument', 'Name 1 to 500 orders by their ids.');
  end if;
  return v_ids;
end
$$;

comment on function app.shipping_ids is
  'Returns the ids of a JSON array. Raises invalid_argument unless it has 1 to 500.';

grant execute on function app.shipping_ids(jsonb) to store_admin;

-- Security invoker: reads with the rights of the caller.
create or replace function api.get_shipping_rows(p_ids jsonb)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  perform app.require_admin();
  v_ids := app.shipping_ids(p_ids);
  return jsonb_build_object('next_cursor', null, 'lines', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'order_no', o.order_no, 'name', o.address ->> 'name', 'phone',
      regexp_replace(regexp_replace(o.address ->> 'phone', '[ -]', '', 'g'), '^\+86', ''), 'province',
      o.address #>> '{region,0}', 'city', o.address #>> '{region,1}',
      'district', (
        select string_agg(r.name, ' ' order by r.place)
        from jsonb_array_elements_text(o.address -> 'region') with ordinality as r (name, place) where r.place > 2
      ),
      'street', o.address ->> 'street', 'goods', g.goods, 'units', g.units::text, 'remark', o.remark
    ) order by o.paid_at, o.id), '[]')
    from app.orders as o
    cross join lateral (
      select string_agg(l.title || ' x' || l.quantity - l.refunded_quantity, '; ' order by l.id) as goods,
        sum(l.quantity - l.refunded_quantity) as units
      from app.order_lines as l where l.order_id = o.id and l.quantity > l.refunded_quantity
    ) as g
    where o.id = any (v_ids) and o.state in ('paid', 'delivered') and o.refund_status <> 2
  ));
end
$$;

comment on function api.get_shipping_rows is
  'Returns the chosen orders that are paid or shipped and not refunded as lines of a file for a carrier, in the '
  'sequence of payment: recipient, address, and the goods that refunds have left. Phone numbers have no spaces, '
  'hyphens or +86. Serves GET /adminapi/shipping/csv and GET /adminapi/shipping/xlsx.';

grant execute on function api.get_shipping_rows(jsonb) to store_admin;

-- Security definer: no client role may read app.wechat_accounts and app.payment_payers.
create or replace function api.get_shipping_notice(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_notice jsonb;
begin
  select jsonb_build_object(
    'transaction_id', o.pay_ref, 'openid', p.openid, 'appid', (app.payer_of_order(o.id, p.openid)).appid, 'carrier',
    f.carrier,
    'carrier_code', f.carrier_code, 'tracking_no', f.tracking_no, 'contact',
    regexp_replace(o.address ->> 'phone', '^.*?(\d{3})[ -]?\d+[ -]?(\d{4})$', '\1****\2'),
    'item_desc',
    (
      select left(string_agg(l.title || ' x' || l.quantity, '; ' order by l.id), 120) from app.order_lines as l
      where l.order_id = o.id
    )
  )
  into v_notice
  from app.orders as o
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  join app.payment_payers as p on p.attempt_id = a.id
  left join lateral (
    select l.carrier, l.carrier_code, l.tracking_no from app.parcels as l where l.order_id = o.id order by l.id limit 1
  ) as f on true
  where o.id = p_order_id and o.delivered_at is not null;
  if not found then
    perform app.fail('order_not_found', 'This order was not paid inside WeChat, or has not left the store.');
  end if;
  return v_notice;
end
$$;

comment on function api.get_shipping_notice is
  'Returns what WeChat is sent when an order is shipped, with its first parcel and a masked phone number.';

grant execute on function api.get_shipping_notice(bigint) to service_role;

-- Idempotent: a recorded notice is gone from the outbox.
create or replace function api.record_shipping_notice(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.finish_outbox('upload_shipping', p_order_id::text);
  return jsonb_build_object();
end
$$;

comment on function api.record_shipping_notice is
  'Records that WeChat knows the shipment of an order, or does not need to know it.';

grant execute on function api.record_shipping_notice(bigint) to service_role;
