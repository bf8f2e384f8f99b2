begin;
\ir ../support/fixture.psql
select plan(4);

select is(app.level_points(0.33335, 3), 1.0000, 'points by level are units x points per unit');
select is(app.level_points(0.33333, 1), 0.3333, 'points by level have four decimals, rounded down');
select is(app.commission_points(0.01, 0.0099), 0.0000, 'points of a commission are rounded down, never up');
select is(app.commission_points(0.03, 0.0099), 0.0002, 'points of a commission have four decimals');

select * from finish();
rollback;
