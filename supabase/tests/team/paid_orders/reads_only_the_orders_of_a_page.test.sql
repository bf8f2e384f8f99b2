begin;
\ir ../../support/fixture.psql
select plan(4);

-- As an import may bring them: many orders that were paid at the same moment, and one that was paid later.
create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
insert into app.orders (
  order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units, state, plan_version, pay_type,
  pay_ref, paid_at
)
select 'p-' || n, m.other, 3600, 3600, true, 3600, 1, 'paid', app.active_plan_version(), 'test', 'p-' || n,
  now() - case when n < 5000 then interval '1 hour' else interval '1 minute' end
from m, generate_series(1, 5000) as n;
create temporary table own as select pg_temp.buy(uid, 1, now() - interval '30 minutes') as id from m;
analyze app.orders;

create temporary table pages (name text, orders text[], orders_read bigint);
create function pg_temp.orders_read() returns bigint language sql as $$
  select s.seq_tup_read + s.idx_tup_fetch from pg_stat_xact_user_tables as s where s.relid = 'app.orders'::regclass
$$;
create function pg_temp.page(
  p_name text, p_uids bigint[], p_paid_at timestamptz, p_id bigint
) returns void language plpgsql as $$
declare v_before bigint := pg_temp.orders_read(); v_orders app.orders[]; begin
  v_orders := app.paid_orders(p_uids, p_paid_at, p_id, 3);
  insert into pages select p_name,
    array(select coalesce(substring(o.order_no, '^p-.*'), 'own') from unnest(v_orders) as o),
    pg_temp.orders_read() - v_before;
end $$;
select pg_temp.page('first', null, 'infinity', 9223372036854775807);
select is(orders, '{p-5000,own,p-4999}', 'the first page has the orders that were paid last') from pages
where name = 'first';
select pg_temp.page('next', null, o.paid_at, o.id) from app.orders as o where o.order_no = 'p-4000';
select is(orders, '{p-3999,p-3998,p-3997}', 'a page within a moment continues by id') from pages where name = 'next';
select pg_temp.page('members', array[uid], 'infinity', 9223372036854775807) from m;
select is(orders, '{own}', 'with members, a page has only their orders') from pages where name = 'members';
select cmp_ok(max(orders_read), '<=', 10::bigint, 'a page of the store reads no more orders than it has') from pages
where name <> 'members';

select * from finish();
rollback;
