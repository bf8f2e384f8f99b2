-- When unpaid orders expire, and what cancels them then.

-- Precondition: the caller runs with owner rights, because members may not read what administrators have marked.
create or replace function app.first_order_ends_at(p_order app.orders)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select greatest(p_order.add_time, s.lifecycle_from) + make_interval(mins => s.first_order_minutes)
  from app.settings as s
  where p_order.pay_price > 0
    -- An order that was placed before the store had this limit keeps the time that its buyer was told.
    and p_order.add_time >= (select v.applied_at from app.schema_versions as v where v.version = '2.0.0')
    and exists (select from app.order_lines as l where l.order_id = p_order.id and l.stock_taken > 0)
    and not exists (select from app.orders as o where o.uid = p_order.uid and o.paid_at is not null)
    and not exists (select from app.waiting_payments as w where w.order_id = p_order.id and w.refused_at is null)
$$;

comment on function app.first_order_ends_at is
  'Returns until when a member who has never paid can hold limited stock by this unpaid order. Null: the order holds '
  'none, costs nothing, is from before version 2.0.0, or has an offline payment that waits for a second administrator; '
  'or its buyer has paid before.';

-- Security definer: members may not read payment attempts. They learn when their order ends, and nothing else of them.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.order_expires_at(p_order app.orders)
returns timestamptz
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select least(case
      when a.ended_at is not null then greatest(a.ended_at, s.lifecycle_from) + make_interval(
        mins => s.order_expiry_minutes
      )
      when s.offline_payment then greatest(
        p_order.add_time, s.lifecycle_from
      ) + make_interval(days => s.offline_payment_days)
      else greatest(p_order.add_time, s.lifecycle_from) + make_interval(mins => s.order_expiry_minutes)
    end, f.ends_at)
    from app.settings as s
    cross join (
      select coalesce(bool_or(p.state = 'open'), false) as is_open, max(p.ended_at) as ended_at
      from app.payment_attempts as p where p.order_id = p_order.id
    ) as a
    cross join (select app.first_order_ends_at(p_order) as ends_at) as f
    where p_order.state = 'unpaid' and not a.is_open
  );
end
$$;

comment on function app.order_expires_at is
  'Returns when an unpaid order expires: order_expiry_minutes after its last payment attempt ended. Without any '
  'attempt, offline_payment_days after it was placed, or order_expiry_minutes if members cannot pay offline. In any '
  'case no later than app.first_order_ends_at. Null for other orders, and while an attempt is open.';

grant execute on function app.order_expires_at(app.orders) to authenticated, store_admin;

-- With the first two conditions, an index limits the orders that are read.
create or replace function app.expired_orders(p_now timestamptz)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    select o.id
    from app.orders as o
    where o.state = 'unpaid'
      and o.add_time <= p_now - (
        select least(
          make_interval(mins => least(s.order_expiry_minutes, s.first_order_minutes)),
          make_interval(days => s.offline_payment_days)
        )
        from app.settings as s
      )
      and app.order_expires_at(o) <= p_now
    order by o.id
  );
end
$$;

comment on function app.expired_orders is 'Returns the unpaid orders that are past their expiry time, by id.';

-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the buyer.
-- Idempotent: an order expires once.
create or replace function app.expire_order(p_order_id bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
begin
  if coalesce(app.order_expires_at(v_order) > app.effect_time(p_now), true) then
    return false;
  end if;
  perform app.cancel_order(p_order_id, p_now, true);
  return true;
end
$$;

comment on function app.expire_order is
  'Cancels an unpaid order that, under its lock, is past its expiry time (app.cancel_order), and returns whether it '
  'did.';

-- One transaction for each order: an order is locked before products, so two orders in one transaction could deadlock.
-- Idempotent, also when it runs concurrently: see app.expire_order.
create or replace procedure app.expire_orders(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('expire_orders', 1);
  v_order_id bigint;
begin
  commit;
  foreach v_order_id in array app.expired_orders(app.trusted_time(p_now)) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.expire_order(v_order_id, p_now);
    exception when others then
      raise warning 'order % did not expire: %', v_order_id, sqlerrm;
    end;
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.expire_orders is
  'Cancels all unpaid orders past their expiry time, each in its own transaction. An order that is locked, or fails, '
  'is left for the next run.';
