begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
\ir ../../support/signals.psql
select plan(8);

create temporary table m as select pg_temp.reporter() as earner, pg_temp.reporter() as other;
create function pg_temp.sale(p_units integer) returns bigint language sql as $$ select pg_temp.report(
  pg_temp.sign_up(m.earner::text), p_units
)
  from m $$;
create function pg_temp.retaken(p_limit integer default 100) returns bigint[] language sql as $$
  select array(
    select (s -> 'freed' ->> 'order_id')::bigint
    from m, lateral pg_temp.signals('retaken_place', 'uid', array[m.earner, m.other], p_limit) as s
  )
$$;

create temporary table o as select pg_temp.sale(2) as freed;
select app.refund_order(o.freed, null, null, now()) from o;
select is(pg_temp.retaken(), '{}', 'a freed place that nobody has taken');
create temporary table same as select pg_temp.sale(2) as id;
select is(
  (select (s.cycle_no, s.place)::text from same, lateral pg_temp.settlement(same.id) as s), '(1,1)',
  'an order of the same amount takes it'
);
select is(pg_temp.retaken(), '{}', 'which is no larger order');
select app.refund_order(same.id, null, null, now()) from same;
create temporary table larger as select pg_temp.sale(3) as id;
select is(
  (
    select s from m, o, lateral pg_temp.signals('retaken_place', 'uid', array[m.earner]) as s
    where (s -> 'freed' ->> 'order_id')::bigint = o.freed
  ),
  (
    select jsonb_build_object(
      'kind', 'retaken_place', 'uid', m.earner, 'nickname', 'Tester', 'cycle_no', 1, 'place', 1, 'commission',
      '2160.00',
      'freed',
      jsonb_build_object(
        'order_id', f.order_id, 'uid', f.uid, 'nickname', 'Tester', 'base', '7200.00', 'time', app.utc(f.place_freed_at)
      ),
      'taken',
      jsonb_build_object(
        'order_id', t.order_id, 'uid', t.uid, 'nickname', 'Tester', 'base', '10800.00', 'time', app.utc(t.settled_at)
      )
    )
    from m, o, larger, lateral pg_temp.settlement(o.freed) as f, lateral pg_temp.settlement(larger.id) as t
  ), 'a larger order that holds the place now'
);
select is(
  pg_temp.retaken(), (select array[same.id, o.freed] from o, same),
  'is compared with each order that was refunded there, the latest first'
);
select is(pg_temp.retaken(1), (select array[same.id, o.freed] from o, same), 'in pages of any size');

-- Places of another cycle of the same number, and of another earner, are other places.
create temporary table elsewhere as select pg_temp.report(pg_temp.sign_up(m.other::text)) as id from m;
select app.refund_order(e.id, null, null, now()) from elsewhere as e;
select is(pg_temp.retaken(), (select array[same.id, o.freed] from o, same), 'places of other members are other places');
select app.refund_order(l.id, null, null, now()) from larger as l;
select is(pg_temp.retaken(), '{}', 'once it is refunded, too, no commission is left');

select * from finish();
rollback;
