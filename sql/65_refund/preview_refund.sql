-- What refunding these units now would reverse, for whom, which place would open again and whose counts would change:
-- carried out by refund_order itself, read, and undone.
-- Callers: api.preview_refund. Locks: those of refund_order, given back with the undone work.
-- Raises: what refund_order raises. Changes nothing.
create or replace function app.preview_refund(p_order_id bigint, p_lines jsonb, p_now timestamptz)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_counts jsonb;
  v_refund app.refunds;
  v_preview text;
  v_now timestamptz;
begin
  perform app.lock_for_refund(p_order_id);
  v_now := app.moment(p_now);
  v_counts := app.counters_json(p_order_id);
  v_refund := app.refund_order(p_order_id, p_lines, null, v_now);
  select jsonb_build_object(
    'amount', v_refund.amount::text,
    'refund_status', o.refund_status,
    'reversals', coalesce((
      select jsonb_agg(app.bill_json(l) order by l.id) from app.user_bill as l where l.order_id = o.id and l.add_time = v_now
        and l.reverses_id is not null
    ), '[]'),
    'reopened_place', (
      select jsonb_build_object('uid', s.earner_uid, 'cycle_no', s.cycle_no, 'place', s.place)
      from app.settlements as s where s.order_id = o.id and s.place_freed_at = v_now
    ),
    'counts', coalesce((
      select jsonb_agg(jsonb_build_object('uid', a.key::bigint, 'before', v_counts -> a.key, 'after', a.value) order by a.key::bigint)
      from jsonb_each(app.counters_json(o.id)) as a
      where a.value <> v_counts -> a.key
    ), '[]')
  )::text
  into v_preview
  from app.orders as o
  where o.id = p_order_id;
  -- The block's work is undone by leaving it with an error; the answer travels in the error's detail.
  raise exception using errcode = 'PV000', message = 'preview', detail = v_preview;
exception
  when sqlstate 'PV000' then
    get stacked diagnostics v_preview = pg_exception_detail;
    return v_preview::jsonb;
end
$$;
