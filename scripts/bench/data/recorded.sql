-- What settling the waiting orders writes, recorded by settling them in a copy of the database, a batch at a time: the
-- rows that the baseline writes without any logic.
create sequence bench.next_batch;
create table bench.batches (batch bigint primary key, orders bigint[] not null);
create table bench.settlements (like app.settlements, primary key (order_id));
create table bench.maturities (like app.commission_maturities, primary key (order_id));
create table bench.bill (like app.user_bill);
create index on bench.bill (order_id);
create table bench.level_changes (like app.level_changes);
create index on bench.level_changes (order_id);
create table bench.events (like app.events);
create index on bench.events (cause_id);

-- Changes of the balances, once for each member and batch.
create table bench.balances (
  batch bigint, uid bigint, brokerage numeric, frozen_points numeric, total_points numeric, own_orders integer,
  direct_orders integer,
  umbrella_orders integer, direct_members integer, umbrella_members integer, places integer, cycle_no integer,
  cycle_plan_version integer, cycle_is_open boolean, primary key (batch, uid)
);

create table bench.updates (
  id bigint generated always as identity, batch bigint, before app.user_balances, after app.user_balances
);

create function bench.record_update()
returns trigger
language plpgsql
as $$
begin
  insert into bench.updates (batch, before, after) values ((select max(b.batch) from bench.batches as b), old, new);
  return null;
end
$$;

-- Settles all waiting orders, p_size at a time, and records the rows that this wrote. It commits.
create procedure bench.record_settlements(p_size integer)
language plpgsql
as $$
declare
  v_orders bigint[];
begin
  create trigger record_update after update on app.user_balances for each row execute function bench.record_update();
  loop
    v_orders := array(select j.order_id from app.settlement_jobs as j order by j.run_after, j.order_id limit p_size);
    exit when v_orders = '{}';
    insert into bench.batches select count(*) + 1, v_orders from bench.batches;
    perform app.run_settlement_jobs(p_size);
    insert into bench.settlements select s.* from app.settlements as s where s.order_id = any (v_orders)
    order by s.order_id;
    insert into bench.maturities select m.* from app.commission_maturities as m where m.order_id = any (v_orders)
    order by m.order_id;
    insert into bench.bill select l.* from app.user_bill as l where l.order_id = any (v_orders) order by l.id;
    insert into bench.level_changes select c.* from app.level_changes as c where c.order_id = any (v_orders)
    order by c.id;
    insert into bench.events select e.* from app.events as e where e.cause = 'order' and e.cause_id = any (v_orders)
    order by e.id;
    commit;
  end loop;
  insert into bench.balances
  select
    u.batch, (u.after).uid, sum((u.after).total_brokerage - (u.before).total_brokerage),
    sum((u.after).frozen_points - (u.before).frozen_points),
    sum((u.after).total_points_earned - (u.before).total_points_earned),
    sum((u.after).own_orders - (u.before).own_orders),
    sum((u.after).direct_orders - (u.before).direct_orders),
    sum((u.after).umbrella_orders - (u.before).umbrella_orders),
    sum((u.after).direct_members - (u.before).direct_members),
    sum((u.after).umbrella_members - (u.before).umbrella_members),
    sum((u.after).total_places - (u.before).total_places), max((u.after).cycle_no),
    (array_agg((u.after).cycle_plan_version order by u.id desc))[1],
    (array_agg((u.after).cycle_is_open order by u.id desc))[1]
  from bench.updates as u
  group by u.batch, (u.after).uid
  order by u.batch, (u.after).uid;
end
$$;
