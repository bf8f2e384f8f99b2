begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(2);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id;
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.place() returns text language sql as $$
  select concat_ws(
    ' ', p ->> 'commission', p ->> 'commission_at_settlement', p ->> 'commission_points',
    p ->> 'commission_points_at_settlement', p ->> 'ratio'
  )
  from pg_temp.call((select id from admin), 'get_places', jsonb_build_object('p_uid', (select a from m))) as t,
    lateral (select t::jsonb -> 'list' -> 0 as p) as f
$$;
select is(pg_temp.place(), '1440.00 1440.00 1440 1440 0.2', 'a place shows what its order paid');
select app.refund_order(
  o.id,
  (
    select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
    where l.order_id = o.id
  ),
  null, now()
)
from o;
select is(pg_temp.place(), '720.00 1440.00 720 1440 0.2', 'and what refunds left of it');

select * from finish();
rollback;
