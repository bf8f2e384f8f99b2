-- What a refund makes of the open request of its order: it answers it in its row, or leaves it open with what is left
-- of it.

-- Precondition: the caller has locked the order, unless it is a preview.
create or replace function app.request_answer(p_order_id bigint, p_items app.refund_item[], p_answers_request boolean)
returns app.request_answer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer app.request_answer;
begin
  select
    r.id, u.is_answer,
    case
      when u.is_answer and u.has_all then 'refunded'
      when u.is_answer or u.units_left = 0 then 'partly_refunded'
      else 'requested'
    end
  into v_answer
  from app.refunds as r
  cross join lateral (
    select
      coalesce(p_answers_request, true)
        and bool_or(
          coalesce(i.quantity > 0, false) or (coalesce(p_answers_request, false) and i.line_id is not null)
        ) as is_answer,
      -- Requests of stores that are being updated have no asked yet.
      bool_and(coalesce(i.quantity, 0) >= coalesce(l.asked, l.quantity)) as has_all,
      sum(n.quantity - n.refunded_quantity - coalesce(i.quantity, 0)) as units_left
    from app.refund_lines as l
    join app.order_lines as n on n.id = l.line_id
    left join unnest(p_items) as i on i.line_id = l.line_id
    where l.refund_id = r.id
  ) as u
  where r.order_id = p_order_id and r.state = 'requested';
  if v_answer.request_id is null and p_answers_request then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  return v_answer;
end
$$;

comment on function app.request_answer is
  'Returns what a refund of these items makes of the open request. It answers the request if it has units of a '
  'requested line; with p_answers_request true, also an amount of one; with false, never. The state is refunded with '
  'all units that were asked for, partly_refunded with fewer or if nothing of its lines is left, else requested.';

-- Precondition: the caller has locked the order.
create or replace function app.grant_request(
  p_order_id bigint, p_answer app.request_answer, p_items app.refund_item[], p_names_units boolean, p_refund_ref text,
  p_freight numeric, p_now timestamptz
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value record := app.refund_value(p_order_id, p_items);
  v_refund app.refunds;
begin
  update app.refunds as r
  set state = p_answer.state, refund_ref = coalesce(p_refund_ref, r.refund_ref), names_units = p_names_units,
    amount = v_value.amount + p_freight,
      freight = p_freight, points = v_value.points,
      decided_at = p_now, decided_position = nextval('app.positions')
  where r.id = p_answer.request_id
  returning r.* into v_refund;
  update app.refund_lines as l set quantity = 0, asked = coalesce(l.asked, l.quantity) where l.refund_id = v_refund.id;
  insert into app.refund_lines as l (refund_id, line_id, quantity, concession)
  select v_refund.id, i.line_id, i.quantity, i.amount from unnest(p_items) as i
  on conflict (refund_id, line_id) do update set quantity = excluded.quantity, concession = excluded.concession;
  return v_refund;
end
$$;

comment on function app.grant_request is
  'Writes a refund into the row of the request that it answers, and returns it. The lines keep how many units were '
  'asked for.';

-- Precondition: the caller has locked the order, and the units of the refund are taken from its lines.
create or replace function app.reduce_request(
  p_order app.orders, p_answer app.request_answer, p_refund app.refunds, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_items app.refund_item[];
  v_request app.refunds;
  v_value record;
  v_freight numeric;
begin
  update app.refund_lines as l
  set quantity = least(l.quantity, n.quantity - n.refunded_quantity), asked = coalesce(l.asked, l.quantity)
  from app.order_lines as n
  where l.refund_id = p_answer.request_id and n.id = l.line_id;
  v_items := app.requested_items(p_order.id);
  v_value := app.refund_value(p_order.id, v_items);
  v_freight := case when cardinality(v_items) > 0 then app.default_freight(p_order, v_items) else 0 end;
  -- A request that ends here has the position of the refund, so that nothing comes between them.
  update app.refunds as r
  set state = p_answer.state, amount = v_value.amount + v_freight, freight = v_freight, points = v_value.points,
      decided_at = case when p_answer.state <> 'requested' then p_now end,
      decided_position = case when p_answer.state <> 'requested' then p_refund.decided_position end
  where r.id = p_answer.request_id
  returning r.* into v_request;
  if v_request.state <> 'requested' then
    perform app.write_events(array[app.refund_event(v_request, p_order.uid)], p_now);
  end if;
end
$$;

comment on function app.reduce_request is
  'Leaves the open request what another refund has left of its units. If nothing is left, it ends as partly_refunded, '
  'with an amount of 0.';

-- Precondition: the caller has locked the order.
create or replace function app.complete_refund(
  p_order app.orders, p_items app.refund_item[], p_names_units boolean, p_refund_ref text, p_answer app.request_answer,
  p_freight numeric, p_now timestamptz
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  if p_answer.is_answer then
    v_refund := app.grant_request(p_order.id, p_answer, p_items, p_names_units, p_refund_ref, p_freight, p_now);
  else
    v_refund := app.insert_refund(p_order.id, 'refunded', p_items, p_names_units, p_refund_ref, null, p_now, p_freight);
  end if;
  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from unnest(p_items) as i
  where l.id = i.line_id;
  if p_answer.is_answer is false then
    perform app.reduce_request(p_order, p_answer, v_refund, p_now);
  end if;
  return v_refund;
end
$$;

comment on function app.complete_refund is
  'Writes a completed refund and returns it: in the row of the request that it answers, otherwise in its own, which '
  'may reduce the request. Adds the units to the refunded quantities. The amount includes p_freight.';
