begin;
\ir ../../support/fixture.psql
select plan(5);

create function pg_temp.order(p_product bigint) returns bigint language sql as $$
  select (
    app.create_order(
      pg_temp.sign_up(), jsonb_build_array(jsonb_build_object('product_id', p_product, 'quantity', 1)), now()
    )
  ).id
$$;
create function pg_temp.rejection(p_id bigint) returns text language sql as $$
  select pg_temp.attempt('none', format('select app.open_attempt(%s, %L, %L, null, now())', p_id, 'local', 'local'))
$$;
create temporary table o as select pg_temp.order(flagship) as cancelled, pg_temp.order(flagship) as busy,
  pg_temp.order(gift) as free
  from goods;
select app.cancel_order(cancelled, now()) from o;

select is(
  pg_temp.rejection(pg_temp.buy(pg_temp.sign_up())), 'PT409 order_already_paid', 'a paid order gets no attempt'
);
select is(pg_temp.rejection(cancelled), 'PT409 order_state_conflict', 'a cancelled order gets no attempt') from o;
select is(pg_temp.rejection(free), 'PT409 order_already_paid', 'an order that costs nothing gets no attempt') from o;
select is(pg_temp.rejection(0), 'PT404 order_not_found', 'an unknown order gets no attempt');

create function pg_temp.open_and_close(p_id bigint) returns void language sql as $$
  select app.end_attempt((r.attempt).attempt_no, 'closed', null, now())
  from app.open_attempt(p_id, 'local', 'local', null, now()) as r
$$;
select pg_temp.open_and_close(busy) from o, generate_series(1, 50);
select is(
  pg_temp.rejection(busy), 'PT409 order_state_conflict',
  'an order whose payment was started fifty times gets no further attempt'
)
from o;

select * from finish();
rollback;
