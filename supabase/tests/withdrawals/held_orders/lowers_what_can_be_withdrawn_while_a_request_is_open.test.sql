begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(20);

-- A member with 720.00 of one order of queue goods and tea, 1080.00 of another.
create temporary table m as select pg_temp.reporter() as a;
alter table m add b bigint;
update m set b = pg_temp.sign_up(a::text);
create temporary table o as
select (app.create_order(b, jsonb_build_array(
  jsonb_build_object('product_id', g.flagship, 'quantity', 1), jsonb_build_object('product_id', g.tea, 'quantity', 1)
), now())).id as first from m, goods as g;
select from o, app.pay_order(first, 'test', 'first', now());
select from o, app.settle_order(first, now()), app.confirm_receipt(first, now());
alter table o add second bigint;
update o set second = pg_temp.report(b) from m;
create function pg_temp.ask(p_order_id bigint, p_title text default null) returns void language sql as $$
  select from app.request_refund(p_order_id, (
    select jsonb_agg(jsonb_build_object('line_id', l.id, 'quantity', 1))
    from app.order_lines as l join app.products as p on p.id = l.product_id
    where l.order_id = p_order_id and p.title = p_title
  ), '', now())
$$;
create function pg_temp.held() returns text language sql as $$
  select format('%s + %s held of %s', c.withdrawable, c.held_by_refunds, (pg_temp.balances(m.a)).brokerage_price)
  from m, app.commission_parts(m.a, now()) as c
$$;
create function pg_temp.findings() returns setof text language sql as $$ select r.check_name
  from app.reconcile_holds() as r $$;

select is(pg_temp.held(), '720.00 + 0.00 held of 1800.00', 'without a request, what has matured can be withdrawn');
select from o, pg_temp.ask(first, 'Tea');
select is(pg_temp.held(), '720.00 + 0.00 held of 1800.00', 'a request for other goods holds nothing');
select from o, app.refuse_refund(first, now());
select from o, pg_temp.ask(second);
select is(
  pg_temp.held(), '720.00 + 0.00 held of 1800.00', 'nor does a request for an order whose commission is maturing anyway'
);
select from o, pg_temp.ask(first);
select is(
  pg_temp.held(), '0.00 + 720.00 held of 1800.00',
  'a request for queue goods holds what its order has earned the member'
);
select is(pg_temp.read(a, 'get_assets_overview') ->> 'held_by_refunds', '720.00', 'the member sees it') from m;
select is(pg_temp.read(a, 'get_assets_overview') ->> 'withdrawable', '0.00', 'beside what can be withdrawn') from m;
select is(pg_temp.read(a, 'get_withdrawal_terms') ->> 'held_by_refunds', '720.00', 'and before a withdrawal') from m;
select is((app.accounts_json(pg_temp.balances(a), now()) -> 'commission') - '{opening, earned, adjusted}'::text[],
  '{"withdrawable": "0.00", "held_by_refunds": "720.00", "maturing": "1080.00", "reserved": "0.00", "paid": "0.00"}',
  'an administrator sees where the commission is')
    from m;
select
  is((select array[l ->> 'owed', l ->> 'withdrawable', l ->> 'held_by_refunds', l ->> 'maturing']
  from app.liabilities_json(null, now()) as l),
  array['1800.00', '0.00', '720.00', '1080.00'], 'it stays owed, in a part of its own');
select
  is((select e ->> 'detail'
  from (select pg_temp.attempt('none', format($$ select pg_temp.withdraw(%s, 10) $$, a)) as t from m) as x,
    lateral (select jsonb_build_object('detail', x.t) as e) as y),
  'PT409 withdrawal_exceeds_balance', 'nothing of it can be withdrawn');
select is((select r.commission_held from report.members as r where r.uid = a), 720.00, 'and an analyst how much it is')
from m;
select is_empty('select pg_temp.findings()', 'the figure computed anew is the same');
select is(
  app.explain_order(first) -> 'held_by_refund' ->> 'amount', '720.00', 'the explanation of the order says what holds it'
)
from o;
select is(
  (app.explain_order(second) -> 'held_by_refund' -> 'has_matured')::text, 'false', 'and whether only the request does'
)
from o;

-- A balance that does not suffice is no debt.
select from m, app.create_adjustment(m.a, -300, 0, 0, 'Test', null, now());
select is(pg_temp.held(), '0.00 + 420.00 held of 1500.00', 'no more is held than the balance has');
select is((select count(*) from app.debts(now())), 0::bigint, 'so a hold makes no debt');
select is_empty('select pg_temp.findings()', 'computed anew, too');
select from o, app.refuse_refund(first, now());
select is(pg_temp.held(), '420.00 + 0.00 held of 1500.00', 'a request that is refused holds nothing any more');
select from o, app.confirm_receipt(second, now());
select is(
  pg_temp.held(), '420.00 + 1080.00 held of 1500.00',
  'the commission of an order that is received after the request is held at once'
);
update app.refunds set state = 'refused', decided_at = now(), decided_position = position + 1000
where order_id = (select second from o);
update app.commission_maturities set amount_left = 1 where order_id = (select first from o);
select from o, pg_temp.ask(first);
select is(
  (select array_agg(f) from pg_temp.findings() as f), '{held_equals_the_open_requests}', 'a wrong amount is found'
);

select * from finish();
rollback;
