begin;
\ir ../../support/fixture.psql
select plan(2);

-- Orders with up to six lines of some cents each, half of them queue goods. Refunds of units and amounts leave parts of
-- cents of a unit.
select setseed(0.42);
insert into app.products (title, price, freight, is_queue_goods) select 'P' || n, n * 0.01, 0, n % 2 = 0
from generate_series(1, 6) as n;
create temporary table o as
select n, (app.create_order(pg_temp.sign_up(), (
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'quantity', 1 + floor(random() * 4)::integer) order by p.id)
  from app.products as p where p.title ~ '^P[1-6]$' and (p.title = 'P' || (1 + n % 6) or random() < 0.6)
), now())).id from generate_series(1, 16) as n;
select app.pay_order(id, 'test', 'order ' || n, now()) from o;
create function pg_temp.left_of(p_order_id bigint, out whole numeric, out most numeric) language sql as $$
  select sum(l.amount), sum(l.amount - case when l.is_queue_goods and l.amount > 0 then 0.01 else 0 end)
  from app.lines_with_refund(p_order_id, '{}') as l
$$;
-- Every amount that can be spread, with what its lines are worth and whether the check of items accepts them.
create function pg_temp.spread_all(p_order_id bigint) returns table (
  amount numeric, worth numeric
) language plpgsql as $$
declare
  v_items app.refund_item[];
begin
  for amount in select a from pg_temp.left_of(p_order_id) as l, generate_series(0.01, l.most, 0.01) as a loop
    v_items := app.spread_refund(p_order_id, amount);
    perform app.check_refund_items(p_order_id, v_items);
    worth := (app.refund_value(p_order_id, v_items)).amount;
    return next;
  end loop;
end
$$;
create temporary table spread as select 0 as round, o.n, s.* from o cross join lateral pg_temp.spread_all(o.id) as s;
do $$
declare
  v_order record;
  v_lines jsonb;
begin
  for v_order in select o.*, r.round from generate_series(1, 2) as r (round), o order by r.round, o.n loop
    begin
      if random() < 0.6 then
        perform app.refund_order(
          v_order.id, null, null, now(),
          p_amount => (
            0.01 * (1 + floor(random() * (pg_temp.left_of(v_order.id)).most::double precision * 50))
          )::numeric(14,2)
        );
      else
        v_lines := (
          select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
          where l.order_id = v_order.id and l.quantity > l.refunded_quantity order by random() limit 1
        );
        perform app.refund_order(v_order.id, v_lines, null, now());
      end if;
    exception when sqlstate 'PT422' or sqlstate 'PT409' then
      null;
    end;
    insert into spread select v_order.round, v_order.n, s.* from pg_temp.spread_all(v_order.id) as s;
  end loop;
end
$$;
select cmp_ok(
  (select count(*) from spread where round > 0), '>', 500::bigint,
  'hundreds of amounts were spread after refunds, and the check of items accepts the lines of each'
);
select is_empty('select * from spread where worth <> amount', 'and they are worth the amount');

select * from finish();
rollback;
