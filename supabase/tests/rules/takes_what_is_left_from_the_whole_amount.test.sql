begin;
\ir ../support/fixture.psql
select plan(5);

select is(
  app.amount_left(100, 3, 0), 100.00, 'nothing refunded leaves everything, also where a unit costs no whole cents'
);
select is(app.amount_left(200, 3, 1), 133.33, 'rounded once: not twice 66.66');
select is(app.amount_left(200, 3, 3), 0.00, 'everything refunded leaves nothing');
select is(app.points_left(200, 3, 1), 133.3333, 'points are rounded once, too');
select is(app.points_left(10000000000000, 3, 1), 6666666666666.6666, 'and down, however many they are');

select * from finish();
rollback;
