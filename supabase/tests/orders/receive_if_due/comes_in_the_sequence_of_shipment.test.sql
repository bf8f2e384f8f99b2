begin;
\ir ../../support/fixture.psql
select plan(1);

create temporary table o as select pg_temp.buy(pg_temp.sign_up(), 1, '2026-11-01 12:00+00') as first,
  pg_temp.buy(pg_temp.sign_up(), 1, '2026-11-01 12:00+00') as second;
update app.settings set lifecycle_from = '2026-01-01';
select app.deliver_order(second, '2026-11-02 12:00+00') from o;
select app.deliver_order(first, '2026-11-02 12:01+00') from o;
select is(
  array(
    select i.id from unnest(app.orders_to_receive('2026-11-30')) with ordinality as i (id, n), o
    where i.id in (o.first, o.second) order by i.n
  ),
  array[second, first],
  'automatic receipts come in the sequence of shipment, not of ids'
) from o;

select * from finish();
rollback;
