begin;
\ir ../../support/fixture.psql
select plan(3);

insert into app.users (nickname) select 'Zhang ' || g from generate_series(1, 30000) as g;
insert into app.orders (order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units)
select to_char(now(), 'YYYYMMDDHH24MISS') || lpad((70000000 + u.uid)::text, 8, '0'), u.uid, 1, 1, false, 0, 0
from app.users as u where u.nickname like 'Zhang%';
analyze app.orders, app.users;

-- The query of the function, planned like in the function: without the text that is searched for.
select format('prepare find(text) as %s', replace(prosrc, 'p_search', '$1')) from pg_proc
where oid = 'app.find_orders(text)'::regprocedure \gexec
set local plan_cache_mode = force_generic_plan;
-- The planner prefers to scan a small table sequentially. With this setting, it scans only what no index serves.
set local enable_seqscan = off;
create function pg_temp.plan(p_search text) returns setof text language plpgsql as $$
begin
  return query execute format('explain (costs off) execute find(%L)', p_search);
end $$;
create temporary table plan as select p as text from pg_temp.plan('70012345') as p;
select is_empty($$ select text from plan where text ~ 'Seq Scan' $$, 'every part can be read by an index');
select is(
  (
    select count(*)::integer from plan
    where text ~ '(orders_end_of_number_idx|parcels_tracking_no_idx|users_nickname_idx|orders_pkey)'
  ),
  4,
  'the number, the tracking number, the name and the id each have their index'
);
select is(
  (select count(*)::integer from app.find_orders('zhang 1234')), 11,
  'a name finds the orders of every buyer whose name begins with it'
);

select * from finish();
rollback;
