-- Returns: the goods of an open refund request come back before it is decided. No step changes money, points or counts,
-- and in each of them the request can be refunded or refused.

-- Precondition: the caller has locked the order.
create or replace function app.require_open_request(p_order_id bigint)
returns app.refunds
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.state = 'requested';
  if not found then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  return v_refund;
end
$$;

comment on function app.require_open_request is
  'Returns the open refund request of an order. Raises refund_not_found if there is none.';

create or replace function app.return_record(p_refund app.refunds)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'return_state', app.return_state(p_refund.return_asked_at, p_refund.return_sent_at, p_refund.return_received_at)
  )
$$;

comment on function app.return_record is
  'Returns what the action log keeps about the return of the goods of a refund request.';

-- Locks: the order.
-- Idempotent: goods that were asked for are not asked for again, and their address stays.
create or replace function app.request_return(p_order_id bigint, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_refund app.refunds := app.require_open_request(p_order_id);
  v_address jsonb := (select s.return_address from app.settings as s);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_refund.return_asked_at is not null then
    return v_refund;
  elsif v_order.state not in ('delivered', 'received') then
    perform app.fail('order_state_conflict', 'The goods of this order have not left the store.');
  elsif v_address is null then
    perform app.fail('refund_state_conflict', 'Enter the return address in the settings first.');
  end if;
  update app.refunds as r set return_address = v_address, return_asked_at = v_now where r.id = v_refund.id returning r.*
  into v_refund;
  perform app.write_event(
    'refund.return_requested', p_order_id, v_order.uid, jsonb_build_object('refund_id', v_refund.id), v_now
  );
  return v_refund;
end
$$;

comment on function app.request_return is
  'Asks for the goods of the open refund request of a shipped order, at the return address of the settings, and '
  'returns the request, which stays open.';

-- Locks: the order.
-- Idempotent: the same parcel changes nothing.
create or replace function app.send_return(p_order_id bigint, p_carrier text, p_tracking_no text, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_refund app.refunds := app.require_open_request(p_order_id);
  v_is_first boolean := v_refund.return_sent_at is null;
  v_now timestamptz := app.effect_time(p_now);
begin
  if not coalesce(app.is_line(p_carrier) and char_length(p_carrier) <= 64, false) then
    perform app.fail('invalid_argument', 'A carrier is one line of 1 to 64 characters.', '/carrier');
  elsif not coalesce(app.is_line(p_tracking_no) and char_length(p_tracking_no) <= 64, false) then
    perform app.fail('invalid_argument', 'A tracking number is one line of 1 to 64 characters.', '/tracking_no');
  elsif v_refund.return_asked_at is null then
    perform app.fail('refund_state_conflict', 'The store has not asked for the goods of this request.');
  elsif v_refund.return_received_at is not null then
    perform app.fail('refund_state_conflict', 'The returned goods have arrived, so their parcel no longer changes.');
  end if;
  update app.refunds as r
  set return_carrier = p_carrier, return_carrier_code = (app.find_carrier(p_carrier)).code,
    return_tracking_no = p_tracking_no,
      return_sent_at = coalesce(r.return_sent_at, v_now)
  where r.id = v_refund.id returning r.* into v_refund;
  if v_is_first then
    perform app.write_event(
      'refund.return_sent', p_order_id, v_order.uid, jsonb_build_object('refund_id', v_refund.id), v_now
    );
  end if;
  return v_refund;
end
$$;

comment on function app.send_return is
  'Records or corrects the parcel that returns the goods of the open refund request, until they arrive, and returns '
  'the request. The carrier need not be in the list.';

-- Locks: the order.
-- Idempotent: goods that have arrived stay as they are.
create or replace function app.receive_return(p_order_id bigint, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_refund app.refunds := app.require_open_request(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_refund.return_asked_at is null then
    perform app.fail('refund_state_conflict', 'The store has not asked for the goods of this request.');
  elsif v_refund.return_received_at is not null then
    return v_refund;
  end if;
  update app.refunds as r set return_received_at = v_now where r.id = v_refund.id returning r.* into v_refund;
  perform app.write_event(
    'refund.return_received', p_order_id, v_order.uid, jsonb_build_object('refund_id', v_refund.id), v_now
  );
  return v_refund;
end
$$;

comment on function app.receive_return is
  'Records that the goods of the open refund request have arrived, with or without a recorded parcel, and returns the '
  'request.';
