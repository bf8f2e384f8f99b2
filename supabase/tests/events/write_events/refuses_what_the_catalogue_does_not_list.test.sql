-- Guarantee operation/events-payload: The payload of an event has listed keys only, none of them personal
-- By: app.write_events
begin;
\ir ../../support/fixture.psql
select plan(10);

select lives_ok(
  $$ select app.write_event('order.paid', 1, 2, '{"pay_price": "1.00"}', now()) $$, 'a listed key is taken'
);
select lives_ok($$ select app.write_event('order.paid', 1, 2, '{}', now()) $$, 'a key may be missing');
select lives_ok($$ select app.write_events(null, now()), app.write_events('{}', now()) $$, 'nothing may be told');
select throws_like(
  $$ select app.write_event('order.paid', 1, 2, '{"pay_price": "1.00", "nickname": "Li"}', now()) $$,
  '%no type order.paid, or not all keys%', 'another key is refused'
);
select throws_like(
  $$ select app.write_event('order.lost', 1, 2, '{}', now()) $$, '%no type order.lost%', 'and an unknown type'
);
select throws_like($$ select app.write_event(null, 1, 2, '{}', now()) $$, '%no type null%', 'and none');
select throws_ok(
  $$ select app.write_event('order.paid', 1, 2, null, now()) $$, 'P0001', null, 'and an event without a payload'
);
select throws_like(
  $$ select app.write_events(
    array[('order.paid', 1, 2, '{}', null, null), ('order.lost', 1, 2, '{}', null, null)]::app.event[], now()
  ) $$,
  '%order.lost%', 'one of several is enough'
);
select throws_ok(
  $$ select app.write_event('order.paid', null, 2, '{}', now()) $$, '23502', null, 'an event has a subject'
);
select is_empty($$
  select t.type from app.event_types as t where t.version < 1 or t.title = '' or t.title_zh = '' or t.description = ''
$$, 'the catalogue is complete');

select * from finish();
rollback;
