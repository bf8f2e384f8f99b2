begin;
\ir ../../support/fixture.psql
select plan(19);

create temporary table m as select pg_temp.reporter() as a;
create temporary table t as select now() as paid;
create function pg_temp.matures_at(p_order_id bigint) returns timestamptz language sql as $$
  select c.matures_at from app.commission_maturities as c where c.order_id = p_order_id
$$;
create function pg_temp.maturing(p_at timestamptz) returns numeric language sql as $$
  select coalesce(sum(c.amount_left), 0) from m, app.maturing(m.a, p_at) as c
$$;

create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2, t.paid) as id from t;
select is(pg_temp.matures_at(id), null, 'the commission of an order that is not received has no date') from o;
select is(pg_temp.maturing('2999-01-01'), 1440.00, 'commission does not mature before the receipt');
select is(app.withdrawable(a, '2999-01-01'), 0.00, 'commission that is maturing cannot be withdrawn') from m;
select from o, t, app.confirm_receipt(o.id, t.paid + interval '2 days');
select is(pg_temp.matures_at(id), paid + interval '9 days', 'commission matures seven days after the receipt')
from o, t;
select is(
  pg_temp.maturing(paid + interval '9 days' - interval '1 second'), 1440.00, 'it does not mature a second earlier'
)
from t;
select is(pg_temp.maturing(paid + interval '9 days'), 0.00, 'then none of it is maturing') from t;
select is(app.withdrawable(a, paid + interval '9 days'), 1440.00, 'then all of it can be withdrawn') from m, t;

create temporary table l as select pg_temp.buy(pg_temp.sign_up((select a::text from m)), 1, t.paid) as id from t;
select from l, t, app.confirm_receipt(l.id, t.paid);
select is(count(*), 0::bigint, 'an order that is not settled has no maturity') from app.commission_maturities as c, l
where c.order_id = l.id;
select from l, t, app.settle_order(l.id, t.paid + interval '3 days');
select is(
  pg_temp.matures_at(id), paid + interval '10 days',
  'if the settlement comes after the receipt, the days begin at the settlement'
)
from l, t;

select from app.create_plan('{"holding_days": 30, "brokerage_timing": "confirm"}', null, '2026-03-02');
select from app.create_plan('{"holding_days": 0}', null, '2026-03-04');
create temporary table p as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 1, t.paid) as id from t;
select from p, t, app.confirm_receipt(p.id, t.paid);
select is(pg_temp.matures_at(id), paid, 'without holding days, commission matures at the receipt') from p, t;
update app.orders set plan_version = plan_version - 1 where id = (select id from p);
select from p, t, app.confirm_receipt(p.id, t.paid + interval '1 day');
select is(pg_temp.matures_at(id), paid, 'a receipt that is confirmed again changes nothing') from p, t;

select from app.create_plan('{"holding_days": 30, "brokerage_timing": "confirm"}', null, '2026-03-05');
create temporary table c as select pg_temp.buy(pg_temp.sign_up((select a::text from m)), 1, t.paid) as id from t;
select from app.create_plan('{"holding_days": 7}', null, '2026-03-06');
select from c, t, app.confirm_receipt(c.id, t.paid + interval '1 day');
select is(
  pg_temp.matures_at(id), paid + interval '31 days',
  'with timing confirm, the holding days are those of the plan of the order'
)
from c, t;

select is(
  (app.create_plan(jsonb_build_object('holding_days', d), null, '2026-03-07')).holding_days, d::smallint,
  format('a plan can have %s days', d)
)
from (values (0), (365)) as v (d);
select throws_ok(
  format($$ select app.create_plan('{"holding_days": %s}', null, now()) $$, d), 'PT422', 'plan_invalid',
  format('a plan cannot have %s days', d)
)
from (values ('-1'), ('366'), ('"soon"'), ('1e9')) as v (d);

delete from app.settlement_jobs;
select is_empty(
  $$ select * from app.reconcile_maturities() as r, p
  where r.subject <> format('order %s', p.id) $$, 'every maturity agrees with its settlement and receipt'
);

select * from finish();
rollback;
