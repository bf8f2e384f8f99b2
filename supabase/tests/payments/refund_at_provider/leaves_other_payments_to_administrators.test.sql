begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table o as select pg_temp.report(pg_temp.sign_up()) as id;
select is((app.refund_order(id, null, null, now())).amount, 3600.00, 'an order that was paid elsewhere is refunded')
from o;
select is_empty($$ select * from app.provider_refunds where order_id = (select id from o) $$, 'no provider is called');

select * from finish();
rollback;
