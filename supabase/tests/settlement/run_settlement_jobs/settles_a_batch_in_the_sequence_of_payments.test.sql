-- Guarantee money/settlement-sequence: Orders that are settled together take places in the sequence of their payments,
-- whatever plans Postgres chooses
-- By: `order by` in app.settle_orders
begin;
\ir ../../support/fixture.psql
select plan(8);

-- The settlement must not depend on the plan that Postgres chooses. A merge join returns the orders by id.
set local enable_hashjoin = off;
set local enable_nestloop = off;
delete from app.settlement_jobs;
create temporary table m as select pg_temp.reporter() as a;

-- Orders 1 to n of new members, paid in this sequence of their numbers, one minute after the other; null: at the same
-- time as the one before.
create function pg_temp.buy_all(
  p_sequence integer[], p_from timestamptz default now()
) returns bigint[] language plpgsql as $$
declare
  v_ids bigint[];
  v_at timestamptz := p_from;
begin
  v_ids := array(
    select (
      app.create_order(
        pg_temp.sign_up((select a::text from m)),
        (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', n)) from goods as g), p_from
      )
    ).id
    from unnest(p_sequence) with ordinality as s (x, n) order by n
  );
  for i in 1..cardinality(p_sequence) loop
    perform app.pay_order(v_ids[p_sequence[i]], 'test', 'test-' || v_ids[p_sequence[i]], v_at);
    v_at := v_at + interval '1 minute';
  end loop;
  return v_ids;
end
$$;
-- What orders got: cycle and place of each.
create function pg_temp.places(p_ids bigint[]) returns text language sql as $$
  select string_agg(format('%s-%s', s.cycle_no, s.place), ' ' order by n)
  from unnest(p_ids) with ordinality as i (id, n) join app.settlements as s on s.order_id = i.id
$$;

create temporary table o as select pg_temp.buy_all('{3,1,2}') as ids;
select app.run_settlement_jobs(50, now() + interval '10 minutes');
select is(pg_temp.places(ids), '1-2 1-3 1-1', 'the order that was paid first takes the first place') from o;
select is(
  (select array_agg(s.order_id order by s.position) from app.settlements as s where s.order_id = any (ids)),
  array[ids[3], ids[1], ids[2]], 'positions follow the payments'
)
from o;
select is(
  (select array_agg(distinct s.batch) from app.settlements as s where s.order_id = any (ids)), array[ids[3]],
  'the batch is named by its first order'
)
from o;

create temporary table tie as select array[pg_temp.buy(
  pg_temp.sign_up((select a::text from m))
), pg_temp.buy(pg_temp.sign_up((select a::text from m)))] as ids;
select app.lock_structure_shared();
select app.settle_orders(array(select o from app.orders as o where o.id = any (ids) order by o.id desc), now())
from tie;
select is(
  pg_temp.places(ids), '2-1 2-2',
  'orders that were paid at the same time are settled by id, in whatever sequence they are handed over'
)
from tie;

-- The second call settles two orders one by one, because a third fails.
create function pg_temp.poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
create trigger poison before insert on app.settlements for each row
  when (new.units = 1) execute function pg_temp.poison();
create temporary table p as select pg_temp.buy_all('{3,2,1}') as ids;
update app.settlement_jobs set run_after = now() + interval '5 minutes' where order_id = (select ids[3] from p);
select app.run_settlement_jobs(50, now() + interval '10 minutes');
select is(
  pg_temp.places(ids[2:3]), '3-1 2-3', 'orders that are settled one by one are settled in the sequence of payments, too'
)
from p;
select is(
  (select array_agg(s.batch order by s.position) from app.settlements as s where s.order_id = any (ids)),
  array[ids[3], ids[2]], 'each of them is a batch of its own'
)
from p;
drop trigger poison on app.settlements;

create temporary table q as select pg_temp.buy_all('{1}', now() + interval '1 minute') as ids;
select app.run_settlement_jobs(50, now() + interval '1 day');
select is(
  pg_temp.places(array[p.ids[1], q.ids[1]]), '3-3 3-2',
  'a postponed order takes its place among those that are settled with it'
)
from p, q;
select is_empty('select from app.settlement_jobs', 'no job is left');

select * from finish();
rollback;
