begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table m as select pg_temp.sign_up() as a, pg_temp.sign_up() as b, pg_temp.sign_up() as c;
select lives_ok('select app.bind_spread(b, a, now()) from m', 'a member without a referrer can be bound');
select lives_ok('select app.bind_spread(b, a, now()) from m', 'binding to the same referrer again is harmless');
select throws_ok('select app.bind_spread(b, c, now()) from m', 'PT409', 'spread_already_bound', 'only once');
select throws_ok('select app.bind_spread(c, c, now()) from m', 'PT422', 'spread_is_self', 'not to oneself');
select throws_ok('select app.bind_spread(a, b, now()) from m', 'PT422', 'spread_in_own_downline', 'not into the own downline');
select throws_ok('select app.bind_spread(c, 1, now()) from m', 'PT422', 'spread_unknown', 'not to nobody');
select throws_ok('select app.bind_spread(c, null, now()) from m', 'PT422', 'spread_unknown', 'not to null');
select throws_ok('select app.bind_spread(1, a, now()) from m', 'PT404', 'user_not_found', 'nobody cannot be bound');

select * from finish();
rollback;
