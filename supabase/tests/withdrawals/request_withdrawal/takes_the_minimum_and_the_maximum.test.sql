begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
select from m, pg_temp.earn(m.a, 2);
update app.settings set withdrawal_minimum = 100.5, withdrawal_maximum = 1000, withdrawal_fee_rate = 0.006;
create function pg_temp.ask(p_amount numeric) returns text language sql as $$
  select pg_temp.attempt(
    'none',
    format(
      'select w.fee from app.request_withdrawal(%s, %s, ''bank'', %s, now()) as w', m.a, p_amount, pg_temp.account(m.a)
    )
  )
  from m
$$;

select is(pg_temp.ask(100.5), '0.60', 'a withdrawal can be the minimum itself');
select from app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'Try again')
where w.ended_at is null;
select is(pg_temp.money(a), '1440.00 of 1440.00', 'a refusal returns the whole amount, and no fee is kept') from m;
select is(pg_temp.ask(1000), '6.00', 'a withdrawal can be the maximum itself');
select from app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'approved', now())
where w.ended_at is null;
select is(
  (app.create_withdrawal_batch('bank', null, null, null, now())).amount, 994.00, 'a bank pays the amount less the fee'
);

select * from finish();
rollback;
