-- Refunds as requests: what they name, and their states.

create or replace function app.require_paid(p_order app.orders)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_order.paid_at is null then
    perform app.fail('order_state_conflict', 'Only a paid order can be refunded.');
  end if;
end
$$;

comment on function app.require_paid is 'Raises order_state_conflict if an order was not paid.';

-- Locks: structure (shared), the order.
create or replace function app.lock_for_refund(p_order_id bigint)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  perform app.require_paid(v_order);
  return v_order;
end
$$;

comment on function app.lock_for_refund is 'Locks the structure (shared) and a paid order, and returns the order.';

create or replace function app.named_refund(
  p_lines jsonb, p_amount numeric, p_freight numeric, p_answers_request boolean
)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('amount', p_amount, 'freight', p_freight, 'answers_request', p_answers_request, 'lines',
    case jsonb_typeof(p_lines)
    when 'array' then (
      select coalesce(jsonb_agg(l.line order by l.line -> 'line_id', l.line), '[]')
      from jsonb_array_elements(p_lines) as i
      cross join lateral (
        select case when app.is_refund_line(i.value, true) then jsonb_build_object(
          'line_id', (i.value ->> 'line_id')::bigint, 'quantity', (i.value ->> 'quantity')::integer, 'amount',
          (i.value ->> 'amount')::numeric
        ) else i.value end as line
      ) as l
    )
    else p_lines
  end)
$$;

comment on function app.named_refund is
  'Returns what the caller of a refund named, in one form for the same content, whatever the sequence of lines and the '
  'zeros behind a decimal point.';

create or replace function app.replay_refund(
  p_refund app.refunds, p_lines jsonb, p_answers_request boolean, p_amount numeric default null,
  p_freight numeric default null
)
returns app.refunds
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A refund in a request's row has answered it. Who leaves that to the store, and who asks for what happened, ask for
  -- the same.
  v_has_answered boolean := exists (
    select from app.refund_lines as l where l.refund_id = p_refund.id and l.asked is not null
  );
  v_is_same boolean;
begin
  if p_refund.named is not null then
    v_is_same := p_refund.named - 'answers_request' = app.named_refund(
      p_lines, p_amount, p_freight, null
    ) - 'answers_request'
      and (
        to_jsonb(p_answers_request) is not distinct from nullif(p_refund.named -> 'answers_request', 'null')
        or coalesce(p_answers_request, v_has_answered) = v_has_answered
      );
  -- Refunds from before 2.0.0 named units, or nothing.
  elsif num_nonnulls(p_amount, p_freight, p_answers_request) > 0 then
    v_is_same := false;
  elsif p_lines is null then
    v_is_same := not p_refund.names_units;
  else
    v_is_same := (app.named_refund(p_lines, null, null, null) -> 'lines') is not distinct from (
      select jsonb_agg(
        jsonb_build_object('line_id', l.line_id, 'quantity', l.quantity, 'amount', null) order by l.line_id
      )
      from app.refund_lines as l where l.refund_id = p_refund.id
    );
  end if;
  if not v_is_same or not app.is_paid_back(p_refund.state) then
    perform app.fail('refund_reference_used', 'Another refund of this order has this reference.');
  end if;
  return p_refund;
end
$$;

comment on function app.replay_refund is
  'Returns the refund that was made before under the same reference. Raises refund_reference_used if the request names '
  'other units, amounts, freight or another answers_request.';

-- Locks: structure (shared), the order, the products with a limited stock, balances by uid. Idempotent with
-- p_refund_ref: the same reference and units return the same refund. Without it, a repeated call refunds only units
-- that are left.
create or replace function app.refund_order(
  p_order_id bigint, p_lines jsonb, p_refund_ref text, p_now timestamptz, p_amount numeric default null,
  p_freight numeric default null,
  p_answers_request boolean default null
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_items app.refund_item[];
  v_answer app.request_answer;
  v_facts app.refund_facts;
  v_freight numeric;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if not app.is_line(p_refund_ref) then
    perform app.reject_text('/refund_ref');
  elsif char_length(p_refund_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A refund reference has between 1 and 128 characters.');
  end if;
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines, p_answers_request, p_amount, p_freight);
  end if;
  v_items := app.refund_items(p_order_id, p_lines, coalesce(p_answers_request, true), true, p_amount, p_freight);
  v_answer := app.request_answer(p_order_id, v_items, p_answers_request);
  -- Of an amount, freight is refunded only where it is named.
  v_freight := app.refund_freight(v_order, v_items, coalesce(p_freight, case when p_amount is not null then 0 end));
  if v_order.state = 'paid' then
    perform app.return_stock(p_order_id, v_items);
  end if;
  v_facts := app.load_refund(v_order, v_items, p_is_requested => v_answer.state is not distinct from 'requested');
  v_now := app.effect_time(p_now);

  v_refund := app.complete_refund(
    v_order, v_items, num_nonnulls(p_lines, p_amount) > 0, p_refund_ref, v_answer, v_freight, v_now
  );
  if p_refund_ref is not null then
    update app.refunds as r set named = app.named_refund(p_lines, p_amount, p_freight, p_answers_request)
    where r.id = v_refund.id returning r.* into v_refund;
  end if;
  perform app.refund_at_provider(v_refund, v_now);
  perform app.book_refund_effects(v_facts, v_refund, v_now);
  if (v_facts.settlement).order_id is null and v_order.has_queue_goods and (v_facts.after).queue_units = 0 then
    perform app.settle_order(p_order_id, v_now);
  end if;
  return v_refund;
end
$$;

comment on function app.refund_order is
  'Refunds units or amounts of an order and returns the refund: p_lines, else p_amount of the order as a whole, else '
  'the units of the open request, else all that is left. p_freight defaults to app.default_freight, with p_amount to '
  '0. p_answers_request says whether it answers the open request (app.request_answer). Books what app.decide_refund '
  'decides. An order that is not settled and has no queue goods left is settled as refunded. Units that were not '
  'shipped go back to the stock. The provider is asked to pay the money back.';

-- Locks: structure (shared), then the order, like the refund that follows, so that nothing changes between this record
-- and the action.
create or replace function app.load_refund_state(p_order_id bigint)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  return jsonb_build_object(
    'refund_status', v_order.refund_status,
    'refunded',
    (
      select coalesce(sum(r.amount), 0.00)::text from app.refunds as r
      where r.order_id = p_order_id and app.is_paid_back(r.state)
    ),
    'points_left', trim_scale(v_order.points_left),
    'requests', (select count(*) from app.refunds as r where r.order_id = p_order_id and r.state = 'requested')
  );
end
$$;

comment on function app.load_refund_state is 'Locks an order and returns how far it is refunded, for the action log.';

-- Has no set clause, so that the planner can inline it.
create or replace function app.paid_back_lines(p_refund app.refunds)
returns table (line_id bigint, product_id bigint, is_queue_goods boolean, units integer, amount numeric)
language sql
stable
as $$
  select l.id, l.product_id, l.is_queue_goods, x.quantity, case
    when x.concession > 0 then x.concession
    else app.line_left(l.paid, l.quantity, b.units, c.list) - app.line_left(
      l.paid, l.quantity, b.units + x.quantity, c.list
    )
  end
  from app.refund_lines as x
  join app.order_lines as l on l.id = x.line_id
  cross join lateral (
    select coalesce(pg_catalog.sum(y.quantity), 0)::pg_catalog.int4 as units,
      pg_catalog.bool_or(y.concession > 0) as is_conceded
    from app.refund_lines as y join app.refunds as e on e.id = y.refund_id
    where y.line_id = l.id and app.is_paid_back(e.state) and e.decided_position < p_refund.decided_position
  ) as b
  left join lateral (
    -- Row order: they are added up.
    select pg_catalog.array_agg((k.amount, k.units)::app.concession) as list
    from app.concessions_between(l.order_id, l.order_id) as k
    where b.is_conceded and k.line_id = l.id and k.decided_position < p_refund.decided_position
  ) as c on true
  where x.refund_id = p_refund.id and (x.quantity > 0 or x.concession > 0)
$$;

comment on function app.paid_back_lines is
  'Returns what a refund that was carried out paid back of each line: units, and money without freight, 2 decimals.';

grant execute on function app.paid_back_lines(app.refunds) to store_admin;

-- Reads refunds through their index by time, then the lines of each.
create or replace function app.refunded_lines(p_from timestamptz, p_to timestamptz default 'infinity')
returns table (
  order_id bigint, line_id bigint, product_id bigint, is_queue_goods boolean, paid_at timestamptz,
  decided_at timestamptz, units integer, amount numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select o.id, l.line_id, l.product_id, l.is_queue_goods, o.paid_at, r.decided_at, l.units, l.amount
  from app.refunds as r
  join app.orders as o on o.id = r.order_id
  cross join lateral app.paid_back_lines(r) as l
  where app.is_paid_back(r.state) and r.decided_at >= p_from and r.decided_at < p_to
  union all
  select o.id, null, null, false, o.paid_at, r.decided_at, 0, r.freight
  from app.refunds as r join app.orders as o on o.id = r.order_id
  where app.is_paid_back(r.state) and r.freight > 0 and r.decided_at >= p_from and r.decided_at < p_to
$$;

comment on function app.refunded_lines is
  'Returns what each refund from p_from to before p_to paid back for each line. Freight has a row without line and '
  'product. The rows of a refund add up to its amount.';

grant execute on function app.refunded_lines(timestamptz, timestamptz) to store_admin;

-- Has no set clause, so that the planner can inline it.
create or replace function app.refunded_amounts(p_order_id bigint, p_from timestamptz, p_to timestamptz)
returns table (order_id bigint, amount numeric)
language sql
stable
as $$
  select r.order_id, pg_catalog.sum(r.amount)
  from app.refunds as r
  where app.is_paid_back(r.state) and (p_order_id is null or r.order_id = p_order_id)
    and r.decided_at >= coalesce(p_from, '-infinity'::pg_catalog.timestamptz)
    and r.decided_at < coalesce(p_to, 'infinity'::pg_catalog.timestamptz)
  group by r.order_id
$$;

comment on function app.refunded_amounts is
  'Returns what was refunded of each order, or of one, from p_from to before p_to; null sets no limit.';

grant execute on function app.refunded_amounts(bigint, timestamptz, timestamptz) to store_admin;

create or replace function app.price_left(p_order app.orders)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_order.pay_price - coalesce((select r.amount from app.refunded_amounts(p_order.id, null, null) as r), 0.00)
$$;

comment on function app.price_left is
  'Returns what refunds have left of the price of an order, with freight. Money, 2 decimals.';

grant execute on function app.price_left(app.orders) to store_admin;

create or replace function app.return_json(p_refund app.refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'state', app.return_state(p_refund.return_asked_at, p_refund.return_sent_at, p_refund.return_received_at),
    'address', p_refund.return_address,
    'asked_at', app.utc(p_refund.return_asked_at), 'carrier', p_refund.return_carrier, 'carrier_code',
    p_refund.return_carrier_code,
    'carrier_name', c.name, 'carrier_name_zh', c.name_zh, 'tracking_no', p_refund.return_tracking_no,
    'tracking_url', app.tracking_url(c.tracking_url, p_refund.return_tracking_no), 'sent_at',
    app.utc(p_refund.return_sent_at),
    'received_at', app.utc(p_refund.return_received_at)
  )
  from (select) as one
  left join app.carriers as c on c.code = p_refund.return_carrier_code
  where p_refund.return_asked_at is not null
$$;

comment on function app.return_json is
  'Returns the goods return of a refund request as the API shows it; null if the goods were not asked for.';

grant execute on function app.return_json(app.refunds) to authenticated, store_admin;

create or replace function app.refund_json(p_refund app.refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_refund.id, 'order_id', p_refund.order_id, 'state', p_refund.state, 'reason', p_refund.reason,
    'reason_check', p_refund.reason_check,
    'refusal_reason', p_refund.refusal_reason, 'pictures', app.pictures_of_refund(p_refund.id),
    'amount', (p_refund.amount - p_refund.freight + f.freight)::text, 'freight', f.freight::text, 'points',
    trim_scale(p_refund.points), 'created_at', app.utc(p_refund.created_at), 'decided_at', app.utc(p_refund.decided_at),
    'is_imported', (select o.is_imported from app.orders as o where o.id = p_refund.order_id),
    'provider_state', (
      select r.state from app.provider_refunds as r where r.refund_id = p_refund.id order by r.id desc limit 1
    ),
    'goods_return', app.return_json(p_refund),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'line_id', l.line_id, 'title', n.title, 'quantity', l.quantity, 'asked', l.asked, 'concession',
        l.concession::text
      ) order by l.line_id), '[]')
      from app.refund_lines as l join app.order_lines as n on n.id = l.line_id where l.refund_id = p_refund.id
    )
  )
  from (select app.current_freight(p_refund)::numeric(14,2) as freight) as f
$$;

comment on function app.refund_json is
  'Returns a refund as the API shows it, with lines, pictures, state at the provider and goods return. Of an open '
  'request, it shows what granting it would pay back now.';

grant execute on function app.refund_json(app.refunds) to authenticated, store_admin;

create or replace function app.refunds_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(app.refund_json(r) order by r.id desc), '[]') from app.refunds as r
  where r.order_id = p_order_id
$$;

comment on function app.refunds_json is 'Returns all refunds of an order that the caller may read, newest first.';

grant execute on function app.refunds_json(bigint) to authenticated, store_admin;

create or replace function app.check_refund_reason(p_reason text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
end
$$;

comment on function app.check_refund_reason is
  'Raises invalid_argument for a reason of a refund request or its refusal that is too long or has control characters.';

-- Precondition: the caller has locked the structure (shared) and the order.
-- Locks: balances by uid.
create or replace function app.end_request(
  p_order app.orders, p_state text, p_now timestamptz, p_reason text default null
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds := app.require_open_request(p_order.id);
  v_freight numeric := app.current_freight(v_refund);
  v_facts app.refund_facts := app.load_refund(p_order, p_items => null, p_is_requested => false);
  v_now timestamptz := app.effect_time(p_now);
begin
  update app.refunds as r
  set state = p_state, decided_at = v_now, decided_position = nextval('app.positions'),
    refusal_reason = coalesce(p_reason, ''),
      amount = r.amount - r.freight + v_freight, freight = v_freight
  where r.id = v_refund.id
  returning r.* into v_refund;
  perform app.book_refund_effects(v_facts, v_refund, v_now);
  return v_refund;
end
$$;

comment on function app.end_request is
  'Ends the open refund request of an order without paying anything back, and returns it with what granting it would '
  'have paid back. p_state is refused (p_reason says why) or taken_back. The order counts for tasks again (R8), and '
  'whoever thereby meets them rises.';

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a request is refused once. A second call raises refund_not_found.
create or replace function app.refuse_refund(p_order_id bigint, p_now timestamptz, p_reason text default null)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.check_refund_reason(p_reason);
  return app.end_request(app.lock_for_refund(p_order_id), 'refused', p_now, p_reason);
end
$$;

comment on function app.refuse_refund is
  'Refuses the open refund request of an order and returns it (app.end_request). p_reason, if any, tells the buyer '
  'why.';

-- Goods that are on their way back would arrive at a store that nobody has asked for anything, so whoever has sent them
-- waits for the answer.
-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: a request is taken back once. A second call raises refund_not_found.
create or replace function app.take_back_refund(p_order_id bigint, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_refund app.refunds := app.require_open_request(p_order_id);
begin
  if coalesce(v_refund.return_sent_at, v_refund.return_received_at) is not null then
    perform app.fail('refund_state_conflict', 'The goods were sent back, so the store answers the request.');
  end if;
  return app.end_request(v_order, 'taken_back', p_now);
end
$$;

comment on function app.take_back_refund is
  'Takes the open refund request of an order back for its buyer and returns it (app.end_request). Not possible once '
  'the goods were sent back.';

-- Precondition: the caller has locked the order.
create or replace function app.insert_refund(
  p_order_id bigint, p_state text, p_items app.refund_item[], p_names_units boolean, p_refund_ref text, p_reason text,
  p_now timestamptz, p_freight numeric
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value record := app.refund_value(p_order_id, p_items);
  v_refund app.refunds;
  v_position bigint := nextval('app.positions');
begin
  insert into app.refunds (
    order_id, state, refund_ref, reason, amount, freight, points, names_units, created_at, decided_at, position,
    decided_position
  )
  values (
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''), v_value.amount + p_freight, p_freight, v_value.points,
    p_names_units, p_now,
    case when p_state <> 'requested' then p_now end, v_position, case when p_state <> 'requested' then v_position end
  )
  returning * into v_refund;
  insert into app.refund_lines (refund_id, line_id, quantity, asked, concession)
  select v_refund.id, i.line_id, i.quantity, case when p_state = 'requested' then i.quantity end, i.amount
  from unnest(p_items) as i;
  return v_refund;
end
$$;

comment on function app.insert_refund is
  'Inserts a refund in the given state with its lines, points and amount, which includes p_freight, and returns it.';

create or replace function app.require_open_window(p_order app.orders, p_now timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.refund_window_end(p_order.received_at) <= p_now then
    perform app.fail('refund_window_over');
  end if;
end
$$;

comment on function app.require_open_window is
  'Raises refund_window_over if the buyer can no longer request a refund of the order (app.refund_window_end).';

-- Locks: structure (shared), the order, balances by uid.
-- Idempotent: an order has one open request. While it is open, another call raises refund_state_conflict.
create or replace function app.request_refund(p_order_id bigint, p_lines jsonb, p_reason text, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_refund app.refunds;
  v_now timestamptz;
begin
  perform app.check_refund_reason(p_reason);
  perform app.refuse_words(p_reason, '/reason');
  v_order := app.lock_for_refund(p_order_id);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'This order already has a refund request that is not decided yet.');
  end if;
  perform app.require_open_window(v_order, app.effect_time(p_now));
  v_items := app.refund_items(p_order_id, p_lines, false);
  v_facts := app.load_refund(v_order, p_items => null, p_is_requested => true);
  v_now := app.effect_time(p_now);
  v_refund := app.insert_refund(
    p_order_id, 'requested', v_items, p_lines is not null, null, p_reason, v_now, app.default_freight(v_order, v_items)
  );
  perform app.queue_text_check('refund_reason', v_refund.id, v_order.uid, p_reason, v_now);
  perform app.book_refund_effects(v_facts, v_refund, v_now);
  return v_refund;
end
$$;

comment on function app.request_refund is
  'Requests a refund of the units in p_lines (null: all that is left) and returns it, until the refund window is over. '
  'The order does not count for tasks while the request is open (R8).';
