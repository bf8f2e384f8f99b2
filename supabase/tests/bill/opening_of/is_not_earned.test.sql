begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.sign_up() as a, pg_temp.sign_up() as b;
with opened as (
  update app.user_balances as u set brokerage_price = 50, total_brokerage = 50, frozen_points = 100,
  total_points_earned = 100
  from m where u.uid = m.a returning u.uid
)
insert into app.user_bill (
  uid, type, source, brokerage_delta, frozen_delta, brokerage_after, frozen_after, available_after, add_time
)
select uid, 'opening_balance', 'import', 50, 100, 50, 100, 0, now() from opened;
select pg_temp.report(a) from m;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));

select is(
  (select format('%s %s', brokerage, points) from m, app.opening_of(m.a)), '50.00 100.0000', 'what a member brought'
);
select is(
  (select format('%s %s', brokerage, points) from m, app.opening_of(m.b)), '0.00 0', 'nothing for other members'
);
select is(
  (
    select array[t #>> '{commission,opening}', t #>> '{commission,earned}', t #>> '{points,opening}',
      t #>> '{points,earned}']
    from m, lateral app.accounts_json(pg_temp.balances(m.a), now()) as t
  ),
  '{50.00,720.00,100,720}', 'is not earned'
);
select set_config(
  'request.jwt.claims',
  jsonb_build_object('sub', (select u.auth_id from app.users as u, m where u.uid = m.a), 'role', 'authenticated')::text,
  true
);
select is(
  api.get_team_summary() #>> '{commission,total}', '720.00', 'nor part of the commission that the member sees in all'
);

select * from finish();
rollback;
