begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(4);

create temporary table m as select pg_temp.sign_up() as brought, pg_temp.sign_up() as adjusted,
  pg_temp.sign_up() as neither;
select from m, app.book_entries(
  array[(
    m.brought, 'opening_balance', 'import', -100, 0, 0, null, null, null, null, null, null, null, null
  )::app.bill_entry],
  '{}', '{}', now()
);
select from m, app.create_adjustment(m.adjusted, -50, null, null, 'Test', null, now());
select results_eq(
  'select d.brokerage_price, d.maturing from app.debts(now()) as d order by d.uid',
  'values (-100.00, 0.00), (-50.00, 0.00)', 'a negative balance is a debt'
);

-- Commission that is maturing does not repay it yet, though it makes the balance positive.
select pg_temp.report(u.uid) from m, unnest(array[m.brought, m.adjusted, m.neither]) as u (uid);
create temporary table o as select u.uid, pg_temp.report(pg_temp.sign_up(u.uid::text)) as id
  from m, unnest(array[m.brought, m.adjusted, m.neither]) as u (uid);
select results_eq(
  'select d.brokerage_price, d.maturing from app.debts(now()) as d order by d.uid',
  'values (620.00, 720.00), (670.00, 720.00)', 'commission that is maturing does not repay it'
);
select is_empty(
  'select d.* from app.debts(now()) as d, m where d.uid = m.neither',
  'a member whose commission is maturing owes nothing'
);
select from o, app.confirm_receipt(o.id, now());
select is_empty('select * from app.debts(now())', 'when it matures, the debt is repaid');

select * from finish();
rollback;
