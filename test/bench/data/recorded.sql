-- The rows that settling each waiting order writes, found by settling them in a copy of the database: what the baseline
-- writes without any logic.
create type bench.change as (
  uid bigint, brokerage numeric(14,2), points numeric(18,4), own_orders integer, direct_orders integer, umbrella_orders integer,
  direct_members integer, umbrella_members integer, places integer, cycle_no integer, cycle_plan_version integer, cycle_is_open boolean
);
create table bench.recorded (
  order_id bigint primary key,
  settlement app.settlements not null,
  bill app.user_bill[] not null,
  changes bench.change[] not null
);

-- What one order changed in the balances; called right after it was settled.
create function bench.changes_of(p_order app.orders)
returns bench.change[]
language sql
as $$
  with upline as (
    select a.uid, a.depth from app.get_upline(p_order.uid) as a where a.agent_level < (select app.top_grade())
  ),
  earned as (
    select l.uid, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as points
    from app.user_bill as l where l.order_id = p_order.id group by l.uid
  ),
  buyer as (select b.uid, (b.own_orders = 1)::integer as is_new from app.user_balances as b where b.uid = p_order.uid)
  select array_agg((
    b.uid, coalesce(e.brokerage, 0), coalesce(e.points, 0), (b.uid = p_order.uid)::integer,
    (u.depth is not distinct from 1)::integer, (u.uid is not null)::integer,
    (u.depth is not distinct from 1)::integer * n.is_new, (u.uid is not null)::integer * n.is_new,
    (s.earner_uid is not distinct from b.uid)::integer, b.cycle_no, b.cycle_plan_version, b.cycle_is_open
  )::bench.change order by b.uid)
  from buyer as n
  join app.user_balances as b on b.uid = any (array(select uid from upline union select uid from earned union select p_order.uid))
  left join upline as u on u.uid = b.uid
  left join earned as e on e.uid = b.uid
  left join app.settlements as s on s.order_id = p_order.id
$$;

-- Settles what waits, in this database for good, and keeps what was written.
create procedure bench.record_settlements()
language plpgsql
as $$
declare
  v_order app.orders;
  v_settlement app.settlements;
begin
  for v_order in select o.* from app.settlement_jobs as j join app.orders as o on o.id = j.order_id order by o.id loop
    v_settlement := app.settle_order(v_order.id, now());
    insert into bench.recorded
    select v_order.id, v_settlement, array(select l from app.user_bill as l where l.order_id = v_order.id order by l.id), bench.changes_of(v_order);
    if v_order.id % 50 = 0 then
      commit;
    end if;
  end loop;
end
$$;
