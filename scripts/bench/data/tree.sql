-- Functions that create the data of the workloads. They are in a schema of their own.
create schema bench;
create sequence bench.next_order;

-- Members 1..p_count; the referrer of each is named by an expression of i, null for none. All have an own reported
-- order of long ago, so that everyone may earn (R4).
create procedure bench.grow(p_count integer, p_referrer text)
language plpgsql
as $$
begin
  execute format($sql$
    insert into app.users (uid, nickname, spread_uid, spread_time, agent_level) overriding system value
    select g.i, 'member ' || g.i, g.referrer, case when g.referrer is not null then now() end, 0
    from (select i, %s as referrer from generate_series(1, %s) as i) as g
  $sql$, p_referrer, p_count);
  insert into app.user_balances (uid) select u.uid from app.users as u;
  insert into app.products (title, price, is_queue_goods) values ('Flagship', 3600, true);
  insert into app.orders (
    order_no, uid, state, total_price, pay_price, has_queue_goods, queue_base, queue_units, plan_version, pay_type,
    pay_ref, paid_at, received_at
  )
  select 'own-' || u.uid, u.uid, 'received', 3600, 3600, true, 3600, 1, 1, 'bench', 'own-' || u.uid, t.paid_at,
    t.paid_at
  from app.users as u
  -- No two at the same time: lists in the order of payment would have to sort all of them.
  cross join lateral (select now() - interval '1 year' + u.uid * interval '1 second' as paid_at) as t
  order by u.uid;
end
$$;

-- Unpaid orders of the given buyers, in this order. next_order begins at the first.
create procedure bench.place_orders(p_buyers bigint[])
language plpgsql
as $$
declare
  v_first bigint;
begin
  with placed as (
    insert into app.orders (
      order_no, uid, referrer_uid, total_price, pay_price, has_queue_goods, queue_base, queue_units
    )
    select 'bench-' || b.number, u.uid, u.spread_uid, 3600, 3600, true, 3600, 1
    from unnest(p_buyers) with ordinality as b (uid, number)
    join app.users as u on u.uid = b.uid
    order by b.number
    returning id
  ),
  lines as (
    insert into app.order_lines (order_id, product_id, title, price, quantity, paid, is_queue_goods)
    select p.id, 1, 'Flagship', 3600, 1, 3600, true from placed as p
  )
  select min(p.id) into v_first from placed as p;
  perform setval('bench.next_order', v_first, false);
end
$$;

-- Pays all of these orders. Their settlement jobs wait.
create procedure bench.pay_orders()
language sql
as $$
  update app.orders set state = 'paid', plan_version = 1, pay_type = 'bench', pay_ref = order_no, paid_at = now()
  where state = 'unpaid';
  insert into app.settlement_jobs (order_id, run_after, created_at)
  select o.id, now(), now() from app.orders as o where o.order_no like 'bench-%' and o.paid_at is not null
$$;

-- What a request that has paid does in the background (functions/_shared/routes/settlement.ts), each batch in a
-- transaction of its own.
create procedure bench.settle_like_requests()
language plpgsql
as $$
declare
  v_handled integer;
begin
  loop
    v_handled := (api.lead_settlement() ->> 'handled')::integer;
    commit;
    exit when v_handled is null;
    perform pg_sleep(0.1) where v_handled = 0;
  end loop;
end
$$;

-- Buyers of p_count orders so that their referrers follow a Zipf distribution with exponent 1.0.
create function bench.zipf_buyers(p_count integer)
returns bigint[]
language sql
as $$
  with referrers as materialized (
    select array_agg(u.uid) as directs, row_number() over (order by random()) as rank
    from app.users as u where u.spread_uid is not null group by u.spread_uid
  ),
  draws as materialized (
    select g.i, least(floor(exp(random() * ln(n.referrers + 1))), n.referrers)::bigint as rank, random() as pick
    from generate_series(1, p_count) as g (i)
    cross join (select count(*) as referrers from referrers) as n
  )
  select array_agg(r.directs[1 + floor(d.pick * cardinality(r.directs))::integer] order by d.i)
  from draws as d join referrers as r on r.rank = d.rank
$$;

-- Sets the grades and counts that members have if each of them has one counted order.
create procedure bench.set_grades()
language sql
as $$
  with recursive upward as (
    select u.spread_uid as uid, 1 as depth from app.users as u where u.spread_uid is not null
    union all
    select u.spread_uid, p.depth + 1 from upward as p join app.users as u on u.uid = p.uid
    where u.spread_uid is not null
  ),
  counts as (
    select p.uid, count(*)::integer as umbrella, (count(*) filter (where p.depth = 1))::integer as direct
    from upward as p group by p.uid
  ),
  counted as (
    update app.user_balances as b
    set own_orders = 1, direct_orders = coalesce(c.direct, 0), direct_members = coalesce(c.direct, 0),
        umbrella_orders = coalesce(c.umbrella, 0), umbrella_members = coalesce(c.umbrella, 0)
    from app.users as u left join counts as c on c.uid = u.uid
    where b.uid = u.uid
  )
  update app.users as u
  set agent_level = case
    when c.direct < 3 then 0 when c.umbrella >= 1000 then 4 when c.umbrella >= 100 then 3 when c.umbrella >= 30 then 2
      else 1
  end
  from counts as c where c.uid = u.uid
$$;
