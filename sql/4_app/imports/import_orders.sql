-- A batch is complete in itself: orders, lines, refunds, settlements and counts are written in one transaction, so that
-- app.reconcile() finds nothing after each of them.
-- Locks: structure (exclusive), balances by uid.
-- Idempotent: an order that is imported already is left as it is.
create or replace function app.import_orders(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_nos text[];
  v_last integer;
begin
  perform app.lock_structure();
  select max(b.line), array_agg(b.order_no order by b.line) filter (where not exists (select from app.orders as o where o.order_no = b.order_no))
  into v_last, v_nos
  from (select s.line, s.order_no from app.staged_orders as s where s.line > p_after order by s.line limit p_limit) as b;
  if v_nos is null then
    return v_last;
  end if;
  perform app.import_order_rows(v_nos, p_now);
  perform app.import_refunds(v_nos, p_now);
  insert into app.settlements (
    order_id, position, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force, brokerage_scope, base, units, reason, settled_at
  )
  select
    o.id, nextval('app.positions'), 'imported', o.uid, o.referrer_uid, o.plan_version, (select max(l.version) from app.level_versions as l),
    o.plan_version, p.brokerage_scope, o.queue_base, o.queue_units, 'imported', p_now
  from app.orders as o
  join app.commission_plans as p on p.version = o.plan_version
  where o.order_no = any (v_nos) and o.paid_at is not null
  order by o.id;
  perform app.count_imported_orders(v_nos);
  update app.imports set orders = orders + cardinality(v_nos) where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_orders is
  'Imports the next p_limit staged orders after a line, with their lines and refunds, settles the paid ones as imported, adds them to '
  'the task counts (R8, R9), and returns the last line, or null if none was left.';
