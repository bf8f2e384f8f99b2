begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(6);

create temporary table before as select app.liabilities_json(null, now()) as l;
create temporary table m as select pg_temp.reporter() as a, pg_temp.sign_up() as in_debt;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as received,
  pg_temp.report(pg_temp.sign_up((select a::text from m))) as shipped;
select from o, app.confirm_receipt(o.received, now());
select from m, app.create_adjustment(m.in_debt, -30, 0, 0, 'Test', null, now());
create temporary table maturities as select x.order_id, x.amount_left, x.matures_at
  from app.commission_maturities as x, o where x.order_id in (o.received, o.shipped);
create function pg_temp.grown(p_key text, p_now timestamptz) returns numeric language sql as $$
  select (app.liabilities_json(null, p_now) ->> p_key)::numeric - (l ->> p_key)::numeric from before
$$;

select is(
  pg_temp.grown('maturing', now()), (select sum(amount_left) from maturities),
  'commission that has not matured is maturing'
);
select is(
  pg_temp.grown('maturing_after_receipt', now()), (select sum(amount_left) from maturities where matures_at is null),
  'the part that waits for the receipt is stated'
);
select is(
  pg_temp.grown('withdrawable', now() + interval '30 days'),
  (select sum(amount_left) from maturities where matures_at is not null), 'commission that has matured can be withdrawn'
);
select is(
  array[pg_temp.grown('debts_uncovered', now()), pg_temp.grown('members_in_debt', now()),
  pg_temp.grown('owed', now()) - (select sum(amount_left) from maturities)],
  '{30.00,1,0.00}', 'debts of members do not lower what others are owed'
);
select from m, lateral app.add_payout_account(m.a, 'alipay', 'Chen Jing', '13800000000', null, now()) as p,
  lateral app.request_withdrawal(m.a, 100, 'alipay', p.id, now() + interval '30 days');
select is(
  array[pg_temp.grown('reserved', now() + interval '30 days'), pg_temp.grown('owed', now() + interval '30 days')],
  array[100.00, (select sum(amount_left) from maturities)], 'a withdrawal reserves its amount, which is still owed'
);
select is(
  (select pg_temp.call(pg_temp.administrator(), 'get_liabilities')::jsonb -> 'points' ->> 'frozen')::numeric,
  (select sum(frozen_points) from app.user_balances), 'the frozen points of all members are stated'
);

select * from finish();
rollback;
