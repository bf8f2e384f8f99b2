begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table m as select pg_temp.sign_up() as a, pg_temp.sign_up() as b, pg_temp.sign_up() as c;
select lives_ok('select app.bind_spread(b, a, now()) from m', 'a member without a referrer can be bound');
select lives_ok('select app.bind_spread(b, a, now()) from m', 'binding to the same referrer again is a no-op');
select throws_ok(
  'select app.bind_spread(b, c, now()) from m', 'PT409', 'spread_already_bound', 'a second referrer is rejected'
);
select throws_ok(
  'select app.bind_spread(c, c, now()) from m', 'PT422', 'spread_is_self', 'the member is rejected as referrer'
);
select throws_ok(
  'select app.bind_spread(a, b, now()) from m', 'PT422', 'spread_in_own_downline',
  'a member of the own downline is rejected'
);
select throws_ok(
  'select app.bind_spread(c, 1, now()) from m', 'PT422', 'spread_unknown', 'an unknown referrer is rejected'
);
select throws_ok('select app.bind_spread(c, null, now()) from m', 'PT422', 'spread_unknown', 'null is rejected');
select throws_ok(
  'select app.bind_spread(1, a, now()) from m', 'PT404', 'user_not_found', 'an unknown member is rejected'
);

select * from finish();
rollback;
