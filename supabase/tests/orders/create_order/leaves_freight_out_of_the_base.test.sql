begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table p as with added as (
  insert into app.products (title, price, freight, is_queue_goods) values ('Heavy flagship', 3600, 25, true)
  returning id
) select * from added;
create temporary table o as select x.*
  from p,
    lateral app.create_order(pg_temp.sign_up(), format('[{"product_id": %s, "quantity": 2}]', p.id)::jsonb, now()) as x;
select is(queue_base, 7200.00, 'the base does not include freight') from o;
select is(pay_price, 7250.00, 'the price to pay includes freight') from o;

select * from finish();
rollback;
