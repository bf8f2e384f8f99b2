begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as
select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2, now()) as matured,
  pg_temp.report(pg_temp.sign_up((select a::text from m)), 2, now()) as maturing;
select from o, app.confirm_receipt(o.matured, now() - interval '7 days');
update app.commission_maturities set matures_at = now() where matures_at is not null;
create function pg_temp.figures() returns text language sql as $$
  select format('%s of %s', app.withdrawable(m.a, now()), (pg_temp.balances(m.a)).brokerage_price) from m
$$;
create function pg_temp.refund_unit(p_order_id bigint) returns void language plpgsql as $$
begin
  perform app.refund_order(p_order_id, (
    select jsonb_agg(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
    where l.order_id = p_order_id
  ), null, now());
end
$$;
select is(pg_temp.figures(), '1440.00 of 3600.00', 'one commission has matured, the other has not');
select from o, pg_temp.refund_unit(o.maturing);
select is(
  pg_temp.figures(), '1440.00 of 2520.00',
  'a refund takes from the commission that it reverses, which is still maturing'
);
select from o, pg_temp.refund_unit(o.matured);
select is(
  pg_temp.figures(), '720.00 of 1800.00', 'a refund takes from commission that has matured, if it reverses that'
);
select from o, pg_temp.refund_unit(o.maturing);
select is(pg_temp.figures(), '720.00 of 720.00', 'when all units are refunded, nothing is left to mature');
select is(amount_left, 0.00, 'the record of the maturity stays, with nothing left')
from app.commission_maturities as c, o where c.order_id = o.maturing;
select from o, pg_temp.refund_unit(o.matured);
select is(pg_temp.figures(), '0.00 of 0.00', 'when all units are refunded, nothing of the matured commission is left');
delete from app.settlement_jobs;
update app.commission_maturities as c set matures_at = app.matures_at(r.received_at, s.settled_at, 7)
from app.orders as r join app.settlements as s on s.order_id = r.id where r.id = c.order_id;
select is_empty('select * from app.reconcile()', 'the books agree');
update app.commission_maturities set amount_left = 1 where order_id = (select maturing from o);
select is((select count(*) from app.reconcile_maturities()), 1::bigint, 'a wrong amount is found');

select * from finish();
rollback;
