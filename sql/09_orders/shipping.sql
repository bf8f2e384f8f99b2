-- Shipping: parcels are added to orders and corrected, one by one or by a file of a carrier.

create or replace function app.carrier_stem(p_name text)
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select regexp_replace(regexp_replace(app.folded_text(p_name), '(股份)?有限公司$', ''), '(快递|速递|速运|物流)$', '')
$$;

comment on function app.carrier_stem is
  'Returns the name of a carrier without its legal form and the word for its trade (快递, 速递, 速运, 物流): 顺丰 for 顺丰速运. '
  'Freight (快运) is another trade.';

-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.find_carrier(p_text text)
returns app.carriers
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_carrier app.carriers;
begin
  select c.* into v_carrier from app.carriers as c
  where c.code = upper(p_text) or lower(c.name) = lower(p_text) or c.name_zh = p_text
  order by c.code = upper(p_text) desc, lower(c.name) = lower(p_text) desc, c.code limit 1;
  if not found then
    select c.* into v_carrier from app.carriers as c
    join (values
      ('YZPY', '中国邮政'), ('YZPY', '邮政'), ('YZPY', '邮政快递'), ('YZPY', '邮政包裹'), ('YZPY', '中国邮政快递包裹'), ('YZPY', '邮政电商标快'),
      ('EMS', '中国邮政速递物流'), ('EMS', '邮政速递物流'), ('EMS', '邮政速递'), ('EMS', '邮政特快专递'), ('EMS', '邮政ems'), ('EMS', 'ems快递'),
      ('EMS', 'ems特快专递')
    ) as n (code, name) on n.code = c.code
    where n.name = app.folded_text(p_text);
  end if;
  if not found then
    -- Row order: one row at most, since no other carrier in use may have this name.
    select c.* into v_carrier from app.carriers as c
    where c.is_active and char_length(app.carrier_stem(p_text)) between 2 and char_length(p_text) - 1
      and app.carrier_stem(c.name_zh) = app.carrier_stem(p_text)
      and not exists (
        select from app.carriers as o
        where o.is_active and o.code <> c.code and app.carrier_stem(o.name_zh) = app.carrier_stem(p_text)
      );
  end if;
  if not found and char_length(p_text) >= 2 then
    -- Row order: one row at most, since no other carrier in use may have this beginning.
    select c.* into v_carrier from app.carriers as c
    where c.is_active and starts_with(c.name_zh, p_text)
      and not exists (
        select from app.carriers as o where o.is_active and o.code <> c.code and starts_with(o.name_zh, p_text)
      );
  end if;
  return v_carrier;
end
$$;

comment on function app.find_carrier is
  'Returns the carrier of the list that a text means, or null: by code, a name, another name of the post, or its '
  'Chinese name with another word for the trade (app.carrier_stem). Otherwise by two or more characters with which the '
  'Chinese name of only one active carrier begins.';

-- Precondition: the caller has locked the order, which was shipped, or is paid and not refunded.
-- Not idempotent: each call adds a parcel. The caller has found that the order does not have it.
create or replace function app.add_parcel(
  p_order app.orders, p_carrier text, p_carrier_code text, p_tracking_no text, p_by uuid, p_now timestamptz
)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := p_order;
  v_now timestamptz := app.effect_time(p_now);
  v_is_further boolean := exists (select from app.parcels as l where l.order_id = p_order.id);
  v_id bigint;
begin
  if num_nonnulls(p_carrier, p_tracking_no) > 0 then
    insert into app.parcels (order_id, carrier, carrier_code, tracking_no, shipped_at, shipped_by)
    values (p_order.id, p_carrier, p_carrier_code, p_tracking_no, v_now, p_by) returning id into v_id;
  end if;
  if v_order.delivered_at is null then
    -- What was received had left the store, whenever it is recorded.
    update app.orders as o
    set state = case o.state when 'paid' then 'delivered' else o.state end, delivered_at = least(v_now, o.received_at)
    where o.id = p_order.id returning * into v_order;
    perform app.ask_to_upload_shipping(v_order, v_now);
    perform app.write_event('order.shipped', v_order.id, v_order.uid, '{}', v_now);
  elsif v_is_further and v_id is not null then
    perform app.write_event(
      'order.parcel_added', v_order.id, v_order.uid, jsonb_build_object('parcel_id', v_id), v_now
    );
  end if;
  return v_order;
end
$$;

comment on function app.add_parcel is
  'Adds a parcel to an order and returns the order. The first call ships it: a paid order is then delivered; a '
  'received one stays received, shipped no later than its receipt. Without carrier and number, it adds no parcel.';

-- Locks: the order.
-- Idempotent: of a shipped order, only a given carrier or tracking number of the first parcel changes. After the
-- receipt, only what is missing is added.
create or replace function app.deliver_order(
  p_order_id bigint, p_now timestamptz, p_carrier text default null, p_tracking_no text default null,
  p_by uuid default null
)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_code text := (app.find_carrier(p_carrier)).code;
  v_first app.parcels;
  v_constraint text;
begin
  p_tracking_no := app.require_tracking_number(p_tracking_no, v_code);
  select l.* into v_first from app.parcels as l where l.order_id = p_order_id order by l.id limit 1;
  if v_order.delivered_at is null and (v_order.paid_at is null or v_order.refund_status = 2) then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be marked as shipped.');
  elsif v_first.id is null then
    v_order := app.add_parcel(v_order, p_carrier, v_code, p_tracking_no, p_by, p_now);
  elsif v_order.state = 'received'
    and (
      p_tracking_no <> v_first.tracking_no
      or (p_carrier <> v_first.carrier and (v_code = v_first.carrier_code) is not true)
    ) then
    perform app.fail(
      'order_state_conflict', 'The receipt of this order is confirmed, so its parcels no longer change.'
    );
  else
    if p_tracking_no is null then
      perform app.check_carrier_of_number(v_first.tracking_no, v_code);
    end if;
    update app.parcels as l
    set carrier = coalesce(p_carrier, l.carrier),
      carrier_code = case when p_carrier is null then l.carrier_code else v_code end,
      tracking_no = coalesce(p_tracking_no, l.tracking_no)
    where l.id = v_first.id;
  end if;
  return v_order;
exception
  when unique_violation then
    perform app.fail('invalid_argument', 'Another parcel of the order has this tracking number.', '/tracking_no');
  when check_violation or data_exception then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.reject_value(v_constraint);
end
$$;

comment on function app.deliver_order is
  'Marks a paid order as shipped (state delivered), or corrects carrier and tracking number of its first parcel, and '
  'returns it. A received order stays received: what its parcel lacks is added, and nothing changes. The carrier need '
  'not be in the list.';

create or replace function app.require_carrier(p_text text)
returns app.carriers
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_carrier app.carriers := app.find_carrier(p_text);
begin
  if v_carrier.is_active is not true then
    perform app.fail('invalid_argument', 'The list of carriers has no such carrier, or it is not in use.', '/carrier');
  end if;
  return v_carrier;
end
$$;

comment on function app.require_carrier is
  'Returns the carrier of the list that a text means (app.find_carrier). Raises invalid_argument unless it is active.';

-- Locks: the order.
-- Idempotent: an order that has a parcel with this tracking number of this carrier is returned unchanged.
create or replace function app.ship_parcel(
  p_order_id bigint, p_carrier text, p_tracking_no text, p_by uuid, p_now timestamptz
)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_carrier app.carriers := app.require_carrier(p_carrier);
  v_number text := app.require_tracking_number(coalesce(p_tracking_no, ''), v_carrier.code);
  v_same app.parcels;
begin
  select l.* into v_same from app.parcels as l where l.order_id = p_order_id and l.tracking_no = v_number;
  if v_same.carrier_code = v_carrier.code then
    return v_order;
  elsif v_same.id is not null then
    perform app.fail('invalid_argument', 'Another parcel of the order has this tracking number.', '/tracking_no');
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail(
      'order_state_conflict', 'Only an order that is paid or shipped, and not refunded, takes a parcel.'
    );
  end if;
  return app.add_parcel(v_order, v_carrier.name_zh, v_carrier.code, v_number, p_by, p_now);
end
$$;

comment on function app.ship_parcel is
  'Adds a parcel of a carrier of the list to an order and returns the order. The first parcel of a paid order ships '
  'it.';

-- Locks: the order.
-- Idempotent: a parcel that has these values stays as it is.
create or replace function app.correct_parcel(p_id bigint, p_carrier text, p_tracking_no text)
returns app.parcels
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_parcel app.parcels;
  v_carrier app.carriers;
begin
  v_order := app.lock_order((select l.order_id from app.parcels as l where l.id = p_id));
  if v_order.state <> 'delivered' then
    perform app.fail(
      'order_state_conflict', 'The receipt of this order is confirmed, so its parcels no longer change.'
    );
  end if;
  if p_carrier is not null then
    v_carrier := app.require_carrier(p_carrier);
  end if;
  select l.* into v_parcel from app.parcels as l where l.id = p_id;
  if p_tracking_no is null then
    perform app.check_carrier_of_number(v_parcel.tracking_no, v_carrier.code);
  end if;
  p_tracking_no := app.require_tracking_number(p_tracking_no, coalesce(v_carrier.code, v_parcel.carrier_code));
  update app.parcels as l
  set carrier = coalesce(v_carrier.name_zh, l.carrier), carrier_code = coalesce(v_carrier.code, l.carrier_code),
    tracking_no = coalesce(p_tracking_no, l.tracking_no)
  where l.id = p_id returning l.* into v_parcel;
  return v_parcel;
exception when unique_violation then
  perform app.fail('invalid_argument', 'Another parcel of the order has this tracking number.', '/tracking_no');
end
$$;

comment on function app.correct_parcel is
  'Corrects the carrier or the tracking number of a parcel (null: unchanged), until the receipt of its order, and '
  'returns it.';

create or replace function app.shipment_lines(p_lines jsonb)
returns app.shipment_line[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_list boolean := coalesce(
    jsonb_typeof(p_lines) = 'array' and jsonb_array_length(p_lines) between 1 and 500, false
  );
  v_lines app.shipment_line[];
begin
  -- Checked first, because jsonb_array_elements fails for a value that is not an array.
  if v_is_list then
    v_lines := array(
      select (
        (e.line ->> 'line')::integer, app.cell_text(e.line ->> 'order_no'), app.visible_text(e.line ->> 'carrier'),
        app.visible_text(e.line ->> 'tracking_no')
      )::app.shipment_line
      from jsonb_array_elements(p_lines) with ordinality as e (line, place)
      where jsonb_typeof(e.line) = 'object' and jsonb_typeof(e.line -> 'line') = 'number'
        and e.line ->> 'line' ~ '^[1-9][0-9]{0,5}$'
      order by e.place
    );
  end if;
  if not v_is_list or cardinality(v_lines) < jsonb_array_length(p_lines) then
    perform app.fail('invalid_argument', 'Send 1 to 500 lines, each with its number in the file.', '/lines');
  end if;
  return v_lines;
end
$$;

comment on function app.shipment_lines is
  'Returns the lines of a carrier''s file, their texts cleaned. Raises invalid_argument unless there are 1 to 500 with '
  'a number.';

-- Precondition: if the lines are to take effect, the caller has locked their orders. A number that two calls give to
-- two orders at the same time is noticed by neither: only orders are locked, and the store does not forbid it.
create or replace function app.check_shipment(p_lines app.shipment_line[], p_uid bigint)
returns setof app.checked_line
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    with lines as (
      select
        l.*, o.id as order_id, o.uid, o.state, o.refund_status, o.paid_at, o.address, c.code as carrier_code,
        coalesce(c.is_active, false) as is_active,
        app.tracking_number(l.tracking_no) as number,
        -- One parcel goes to one buyer at one address, by one carrier.
        case when o.id is null then l.order_no else concat_ws(' ', o.uid, o.address, c.code) end as recipient
      from unnest(p_lines) with ordinality as l
      left join app.orders as o on o.order_no = l.order_no
      cross join lateral app.find_carrier(l.carrier) as c
    ),
    checked as (
      select
        l.*,
        exists (
          select from app.parcels as p
          where p.order_id = l.order_id and p.tracking_no = l.number and p.carrier_code = l.carrier_code
        ) as is_shipped,
        min(l.recipient) over (partition by l.number) is distinct from max(l.recipient)
        over (partition by l.number) as is_of_several,
        count(*) over (partition by l.order_id, l.number) > count(*) over same as has_two_carriers,
        row_number() over (same order by l.ordinality) > 1 as is_copy
      from lines as l
      window same as (partition by l.order_id, l.number, l.carrier_code)
    ),
    decided as (
      select
        l.*,
        case
          when l.order_no is null then 'no_order_number'
          when l.tracking_no is null then 'no_tracking_number'
          when l.number is null or l.number = l.order_no then 'tracking_number_invalid'
          when l.order_id is null then 'order_unknown'
          when l.carrier_code is null then 'carrier_unknown'
          when l.has_two_carriers then 'order_repeated'
          when l.is_of_several then 'number_repeated'
          when l.is_shipped then null
          when not l.is_active then 'carrier_unknown'
          when not app.is_number_of_carrier(l.number, l.carrier_code) then 'number_of_another_carrier'
          when l.uid = p_uid then 'own_order'
          when l.state in ('unpaid', 'cancelled', 'received') then l.state
          when l.refund_status = 2 then 'refunded'
          when l.state = 'delivered' then 'shipped_otherwise'
          -- A parcel that left before this order was paid does not contain it.
          when exists (
            select from app.parcels as p join app.orders as x on x.id = p.order_id
            where p.tracking_no = l.number and p.carrier_code = l.carrier_code and x.id <> l.order_id
              and ((x.uid, x.address) is distinct from (l.uid, l.address) or p.shipped_at < l.paid_at)
          ) then 'number_used'
        end as problem
      from checked as l
    )
    select
      d.line, d.order_no, d.order_id, coalesce(d.carrier_code, d.carrier), coalesce(d.number, d.tracking_no),
      case when d.problem is not null then 'rejected' when d.is_shipped or d.is_copy then 'unchanged' else 'fits' end,
      d.problem
    from decided as d
    order by d.ordinality;
end
$$;

comment on function app.check_shipment is
  'Returns what each line of a carrier''s file does (app.checked_line). An order can be in several lines, with a '
  'parcel each. A parcel can be in the lines of several orders of one buyer at one address. Orders of p_uid, the '
  'member who asks, do not fit.';

create or replace function app.shipment_json(p_lines app.checked_line[])
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'lines', coalesce(jsonb_agg(jsonb_build_object(
      'line', l.line, 'order_no', l.order_no, 'order_id', l.order_id, 'carrier', l.carrier, 'tracking_no',
      l.tracking_no, 'result', l.result, 'problem', l.problem
    ) order by l.ordinality), '[]'),
    'fits', count(*) filter (where l.result = 'fits'), 'unchanged', count(*) filter (where l.result = 'unchanged'),
    'rejected', count(*) filter (where l.result = 'rejected')
  )
  from unnest(p_lines) with ordinality as l
$$;

comment on function app.shipment_json is 'Returns checked lines as the API shows them, and how many have each result.';
