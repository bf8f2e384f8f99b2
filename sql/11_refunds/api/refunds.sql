-- What clients may call about refunds, their requests and the return of goods.

create or replace function api.get_refunds(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_list jsonb;
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
  v_list := app.refunds_json(p_order_id);
  return app.list_json(v_list, jsonb_array_length(v_list));
end
$$;

comment on function api.get_refunds is
  'Returns the refunds of one of the caller''s orders, newest first. Serves GET /api/order/{id}/refund.';

grant execute on function api.get_refunds(bigint) to authenticated, store_admin;

create or replace function app.refund_pictures_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.list_json(
    jsonb_agg(jsonb_build_object(
      'id', p.id, 'refund_id', p.refund_id, 'media_type', p.media_type, 'width', p.width, 'height', p.height,
      'content_check', p.content_check
    ) order by p.refund_id desc, p.add_time, p.id),
    count(*)
  )
  from app.refunds as r join app.pictures as p on p.refund_id = r.id
  where r.order_id = p_order_id and p.state = 'stored'
$$;

comment on function app.refund_pictures_json is
  'Returns the pictures of all refund requests of an order, from which the edge functions make links.';

-- Security definer: client roles cannot read app.pictures.
create or replace function api.get_refund_pictures(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return app.refund_pictures_json(p_order_id);
end
$$;

comment on function api.get_refund_pictures is
  'Returns the pictures of the refund requests of one of the caller''s orders (app.refund_pictures_json). First step '
  'of GET /api/order/{id}/refund/picture.';

grant execute on function api.get_refund_pictures(bigint) to authenticated, store_admin;

-- Security definer: client roles may not execute app.refund_pictures_json.
create or replace function api.admin_get_refund_pictures(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  if not exists (select from app.orders as o where o.id = p_order_id) then
    perform app.fail('order_not_found');
  end if;
  return app.refund_pictures_json(p_order_id);
end
$$;

comment on function api.admin_get_refund_pictures is
  'Returns the pictures of the refund requests of an order (app.refund_pictures_json). First step of GET '
  '/adminapi/order/{id}/refund/picture.';

grant execute on function api.admin_get_refund_pictures(bigint) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
create or replace function api.preview_refund(
  p_order_id bigint, p_lines jsonb default null, p_amount numeric default null, p_freight numeric default null,
  p_answers_request boolean default null
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.preview_refund(p_order_id, p_lines, null, p_amount, p_freight, p_answers_request);
end
$$;

comment on function api.preview_refund is
  'Returns what this refund would pay back and reverse, and what becomes of the open request, without writing '
  '(app.preview_refund). Serves POST /adminapi/order/{id}/refund/preview.';

grant execute on function api.preview_refund(bigint, jsonb, numeric, numeric, boolean) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
create or replace function api.preview_own_refund(p_order_id bigint, p_lines jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return app.preview_request(p_order_id, p_lines);
end
$$;

comment on function api.preview_own_refund is
  'Returns what a refund of these units (null: all that is left) of one of the caller''s orders would pay back '
  '(app.preview_request). Serves POST /api/order/{id}/refund/preview.';

grant execute on function api.preview_own_refund(bigint, jsonb) to authenticated, store_admin;

-- Locks: structure (shared), the order, the products with a limited stock, balances by uid.
-- Idempotent with p_refund_ref: the same reference returns the same refund.
create or replace function api.refund_order(
  p_order_id bigint, p_lines jsonb default null, p_refund_ref text default null, p_amount numeric default null,
  p_freight numeric default null,
  p_answers_request boolean default null
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
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.load_refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null, p_amount, p_freight, p_answers_request);
  v_after := app.load_refund_state(p_order_id);
  if v_after <> v_before then
    v_after := v_after || jsonb_build_object('refund_id', v_refund.id);
  end if;
  perform app.record_action('refund_order', 'order', p_order_id::text, v_before, v_after);
  return app.refund_json(v_refund);
end
$$;

comment on function api.refund_order is
  'Refunds units or amounts of an order, and freight, and returns the refund (app.refund_order). Serves PUT '
  '/adminapi/order/{id}/refund.';

grant execute on function api.refund_order(bigint, jsonb, text, numeric, numeric, boolean) to store_admin;

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a request is refused once. A second call raises refund_not_found.
create or replace function api.refuse_refund(p_order_id bigint, p_reason text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.load_refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refuse_refund(p_order_id, null, p_reason);
  v_after := app.load_refund_state(p_order_id) || jsonb_build_object('refund_id', v_refund.id);
  perform app.record_action(
    'refuse_refund', 'order', p_order_id::text, v_before,
    v_after
      || case
        when v_refund.refusal_reason <> '' then jsonb_build_object('refusal_reason', v_refund.refusal_reason)
        else '{}'
      end,
    array(select jsonb_object_keys(v_after) order by 1)
  );
  return app.refund_json(v_refund);
end
$$;

comment on function api.refuse_refund is
  'Refuses the open refund request of an order and returns it (app.refuse_refund). Serves PUT '
  '/adminapi/order/{id}/refund/refuse.';

grant execute on function api.refuse_refund(bigint, text) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
create or replace function api.preview_refusal(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.preview_refusal(p_order_id);
end
$$;

comment on function api.preview_refusal is
  'Returns whose task counts and levels the refusal of the open refund request would change, without writing '
  '(app.preview_refusal). Serves GET /adminapi/order/{id}/refund/refuse/preview.';

grant execute on function api.preview_refusal(bigint) to store_admin;

-- Locks: structure (shared), the order, balances by uid, the pictures.
-- Idempotent: an order has one open request. While it is open, another call raises refund_state_conflict.
create or replace function api.request_refund(
  p_order_id bigint, p_lines jsonb default null, p_reason text default '', p_pictures jsonb default '[]'
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that refund_json reads the new refund.
  v_refund := app.request_refund(p_order_id, p_lines, p_reason, null);
  perform app.add_pictures_to_refund(v_refund.id, coalesce(p_pictures, '[]'), auth.uid());
  return app.refund_json(v_refund);
end
$$;

comment on function api.request_refund is
  'Requests a refund of units (null: all that is left) of one of the caller''s orders and returns it. p_pictures are '
  'ids of pictures that the caller has uploaded for it. Serves POST /api/order/{id}/refund.';

grant execute on function api.request_refund(bigint, jsonb, text, jsonb) to authenticated, store_admin;

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a request is taken back once. A second call raises refund_not_found.
create or replace function api.take_back_refund(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.take_back_refund(p_order_id, null);
  return app.refund_json(v_refund);
end
$$;

comment on function api.take_back_refund is
  'Takes the open refund request of one of the caller''s orders back and returns it. Serves DELETE '
  '/api/order/{id}/refund.';

grant execute on function api.take_back_refund(bigint) to authenticated, store_admin;

-- Locks: the refund, or the picture.
-- Idempotent: a doubt that is dismissed stays dismissed.
create or replace function api.dismiss_refund_doubt(
  p_order_id bigint, p_refund_id bigint, p_picture_id uuid default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
  v_was text;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  select r.* into v_refund from app.refunds as r where r.id = p_refund_id and r.order_id = p_order_id for update;
  if not found then
    perform app.fail('refund_not_found');
  elsif p_picture_id is null then
    v_was := v_refund.reason_check;
    update app.refunds as r set reason_check = null where r.id = p_refund_id returning r.* into v_refund;
  else
    select p.content_check into v_was from app.pictures as p where p.id = p_picture_id and p.refund_id = p_refund_id
    for update;
    if not found then
      perform app.fail('refund_not_found', 'This refund has no such picture.');
    end if;
    update app.pictures as p set content_check = null where p.id = p_picture_id;
  end if;
  perform app.record_action(
    'dismiss_refund_doubt', 'order', p_order_id::text, jsonb_build_object('doubt', v_was),
    '{"doubt": null}'
      || case
        when v_was is null then '{}'
        else jsonb_strip_nulls(jsonb_build_object('refund_id', p_refund_id, 'picture_id', p_picture_id))
      end
  );
  return app.refund_json(v_refund);
end
$$;

comment on function api.dismiss_refund_doubt is
  'Dismisses WeChat''s verdict on the reason of a refund request, or on one of its pictures, and returns the refund. '
  'Serves PUT /adminapi/order/{id}/refund/doubt/dismiss.';

grant execute on function api.dismiss_refund_doubt(bigint, bigint, uuid) to store_admin;

-- Locks: the order.
-- Idempotent: see app.request_return.
create or replace function api.request_return(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.refunds;
  v_after app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  v_before := app.require_open_request(p_order_id);
  v_after := app.request_return(p_order_id, null);
  perform app.record_action(
    'request_return', 'order', p_order_id::text, app.return_record(v_before), app.return_record(v_after)
  );
  return app.refund_json(v_after);
end
$$;

comment on function api.request_return is
  'Asks the buyer of a shipped order for the goods of the open refund request and returns the request. Serves PUT '
  '/adminapi/order/{id}/refund/return.';

grant execute on function api.request_return(bigint) to store_admin;

-- Locks: the order.
-- Idempotent: see app.receive_return.
create or replace function api.receive_return(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.refunds;
  v_after app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  v_before := app.require_open_request(p_order_id);
  v_after := app.receive_return(p_order_id, null);
  perform app.record_action(
    'receive_return', 'order', p_order_id::text, app.return_record(v_before), app.return_record(v_after)
  );
  return app.refund_json(v_after);
end
$$;

comment on function api.receive_return is
  'Records that the goods of the open refund request have arrived and returns the request. Serves PUT '
  '/adminapi/order/{id}/refund/return/receive.';

grant execute on function api.receive_return(bigint) to store_admin;

-- Locks: the order.
-- Idempotent: see app.send_return. No quota: a call changes one row of the caller and keeps no earlier value.
create or replace function api.send_return(p_order_id bigint, p_carrier text, p_tracking_no text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return app.refund_json(app.send_return(p_order_id, p_carrier, p_tracking_no, null));
end
$$;

comment on function api.send_return is
  'Records or corrects the parcel by which the caller returns the goods of the open refund request, and returns the '
  'request. Serves PUT /api/order/{id}/refund/return.';

grant execute on function api.send_return(bigint, text, text) to authenticated, store_admin;
