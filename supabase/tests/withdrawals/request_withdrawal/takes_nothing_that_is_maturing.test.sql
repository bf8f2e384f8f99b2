-- Guarantee money/withdrawal-maturing: Commission that is maturing is never withdrawn
-- By: the lock of the balance, app.withdrawable
begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table t as select '2026-03-01 12:00+00'::timestamptz as paid;
select from m, t, pg_temp.report(m.a, 1, t.paid - interval '1 day');
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 1, t.paid) as id from t;
create temporary table c as select a.id
  from m, t, app.add_payout_account(m.a, 'bank', 'Chen Jing', '6222021234567890128', 'ICBC', t.paid) as a;
create function pg_temp.ask(p_at timestamptz) returns text language sql as $$
  select pg_temp.attempt(
    'none', format('select w.state from app.request_withdrawal(%s, 720, ''bank'', %s, %L) as w', m.a, c.id, p_at)
  )
  from m, c
$$;
select is(
  pg_temp.ask(paid + interval '1 year'), 'PT409 withdrawal_exceeds_balance',
  'the commission of an order that is not received cannot be withdrawn'
)
from t;
select from o, t, app.confirm_receipt(o.id, t.paid + interval '1 day');
select is(
  pg_temp.ask(paid + interval '8 days' - interval '1 second'), 'PT409 withdrawal_exceeds_balance',
  'the commission of an order that was received less than seven days ago cannot be withdrawn'
)
from t;
delete from app.clock;
insert into app.clock (trusted_at) select paid + interval '7 days' from t;
select is(
  pg_temp.ask(null), 'PT409 withdrawal_exceeds_balance',
  'nor can it by a clock that is doubtful, if the last trusted time is earlier'
);
delete from app.clock;
select is(pg_temp.ask(paid + interval '8 days'), 'requested', 'from then on it can be withdrawn') from t;

-- The order is refunded after its commission was paid out.
select
from t, app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'approved', t.paid + interval '9 days');
select from t, app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'paid', t.paid + interval '9 days');
select from o, t, app.refund_order(o.id, null, null, t.paid + interval '10 days');
select is(app.withdrawable(a, '2999-01-01'), -720.00, 'a refund after the payment makes the balance negative') from m;
create temporary table p as select pg_temp.report(
  pg_temp.sign_up((select a::text from m)), 1, t.paid + interval '11 days'
) as id
  from t;
select from p, t, app.confirm_receipt(p.id, t.paid + interval '12 days');
select is(app.withdrawable(a, paid + interval '12 days'), -720.00, 'the next commission repays it when it matures')
from m, t;
select is(
  pg_temp.ask(paid + interval '30 days'), 'PT409 withdrawal_exceeds_balance',
  'until more is earned, nothing can be withdrawn'
)
from t;

select * from finish();
rollback;
