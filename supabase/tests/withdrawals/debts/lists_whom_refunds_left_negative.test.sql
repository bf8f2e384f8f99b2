begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(11);

create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as b, pg_temp.reporter() as c;
create temporary table o as select pg_temp.earn(a) as a, pg_temp.earn(b, 2) as b, pg_temp.earn(c) as c from m;
create temporary table w as select pg_temp.withdraw(a, 720) as a, pg_temp.withdraw(b, 1000) as b,
  pg_temp.withdraw(c, 100) as c
  from m;
select pg_temp.approve(a), pg_temp.approve(b) from w;
select from w, app.move_withdrawal(app.lock_withdrawal(w.a), 'paid', now());
select from w, app.move_withdrawal(app.lock_withdrawal(w.b), 'paid', now());
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.debts(p_args jsonb default '{}') returns jsonb language sql as $$ select pg_temp.call(
  admin.id, 'get_debts', p_args
)::jsonb
  from admin $$;

select is(pg_temp.debts(), '{"list": [], "count": 0, "total": "0.00"}', 'nobody owes anything after a payment');
select from o, app.refund_order(o.a, null, null, now());
select from o, app.refund_order(o.b, null, null, now());
select from o, app.refund_order(o.c, null, null, now());
select is(
  jsonb_path_query_array(pg_temp.debts(), '$.list[*].debt'), '["1000.00", "720.00", "100.00"]',
  'the largest debt comes first'
);
select is(pg_temp.debts() - 'list', '{"count": 3, "total": "1820.00"}', 'the response has the sum of all debts');
select is(
  pg_temp.debts() #> '{list,2,open_withdrawal_id}'::text[], to_jsonb(w.c),
  'the list has the withdrawal that can still be refused'
)
from w;
select is(
  jsonb_path_query_array(pg_temp.debts('{"p_page": 2, "p_limit": 2}'), '$.list[*].debt'), '["100.00"]',
  'the list has pages'
);
select from w, app.move_withdrawal(app.lock_withdrawal(w.c), 'refused', now(), 'The order was refunded');
select is(pg_temp.debts() -> 'count', '2', 'a refusal ends a debt');

create temporary table p as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id;
select
  is((pg_temp.debts() #> '{list,1}'::text[]) - 'nickname',
  jsonb_build_object(
    'uid', m.a, 'brokerage_price', '720.00', 'maturing', '1440.00', 'debt', '720.00', 'open_withdrawal_id', null
  ),
  'the next commission repays it only when it matures') from m;
select is(
  pg_temp.attempt('none', format('select app.request_withdrawal(%s, 100, ''bank'', %s, now())', a, pg_temp.account(a))),
  'PT409 withdrawal_exceeds_balance', 'until then, nothing can be withdrawn'
)
from m;
select from p, app.confirm_receipt(p.id, now());
select is(
  jsonb_path_query_array(pg_temp.debts(), '$.list[*].debt'), '["1000.00"]',
  'a debt is repaid when the next commission has matured'
);
select is(pg_temp.money(a), '720.00 of 720.00', 'what is left after the debt can be withdrawn') from m;
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
