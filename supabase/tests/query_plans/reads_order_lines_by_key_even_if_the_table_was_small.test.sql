begin;
\ir ../support/fixture.psql
select plan(2);

-- A plan made while there were a few lines must not read all of them once there are many.
create temporary table o as select pg_temp.report(pg_temp.sign_up()) as id;
analyze app.order_lines;
create function pg_temp.lines_read() returns bigint language sql as $$
  select s.seq_tup_read from pg_stat_xact_user_tables as s where s.relid = 'app.order_lines'::regclass
$$;
select is(jsonb_array_length(app.order_json(q) -> 'lines'), 1, 'the response has the order with its line')
from app.orders as q join o on o.id = q.id;
do $$ begin for v_n in 1..7 loop perform app.order_json(q) from app.orders as q join o on o.id = q.id; end loop; end $$;
create temporary table before as select pg_temp.lines_read() as lines;
insert into app.orders (order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units)
select 'lines-' || n, (select min(u.uid) from app.users as u), 3600, 3600, true, 3600, 1
from generate_series(1, 2000) as n;
insert into app.order_lines (order_id, product_id, title, price, quantity, paid, is_queue_goods)
select q.id, (select p.id from app.products as p limit 1), 'Flagship', 3600, 1, 3600, true from app.orders as q
where q.order_no like 'lines-%';
select app.order_json(q) from app.orders as q join o on o.id = q.id;
select cmp_ok(pg_temp.lines_read() - (select lines from before), '<', 500::bigint, 'no lines of other orders are read');

select * from finish();
rollback;
