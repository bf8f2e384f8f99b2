begin;
\ir ../support/fixture.psql
select plan(3);

select is(app.amount_left(100, 3, 0), 100.00, 'nothing refunded leaves everything, also where a unit costs no whole cents');
select is(app.amount_left(200, 3, 1), 133.33, 'rounded once: not twice 66.66');
select is(app.amount_left(200, 3, 3), 0.00, 'everything refunded leaves nothing');

select * from finish();
rollback;
