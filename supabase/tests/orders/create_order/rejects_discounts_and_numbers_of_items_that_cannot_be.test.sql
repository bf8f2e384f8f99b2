begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.sign_up() as a, g.flagship from goods as g;
create function pg_temp.order_with(p_item jsonb, p_times integer default 1) returns text language sql as $$
  select format(
    'select app.create_order(%s, %L, now())', m.a,
    jsonb_agg(jsonb_build_object('product_id', m.flagship, 'quantity', 1) || p_item)
  )
  from m, generate_series(1, p_times) group by m.a
$$;
select throws_ok(
  pg_temp.order_with(jsonb_build_object('discount', d.discount)), 'PT422', 'invalid_argument',
  format('a discount of %s', d.discount)
)
from (values ('-1.00'), ('0.001'), ('ten'), ('1e2')) as d (discount);
select lives_ok(pg_temp.order_with('{"discount": "3600.00"}'), 'a discount of the whole price is accepted');
select throws_ok(pg_temp.order_with('{}', 51), 'PT422', 'invalid_argument', '51 items are rejected');
select lives_ok(pg_temp.order_with('{}', 50), '50 items are accepted');

select * from finish();
rollback;
