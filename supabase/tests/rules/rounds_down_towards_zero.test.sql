begin;
\ir ../support/fixture.psql
select plan(5);

select is(app.round_down(0.019, 2), 0.01, 'money is rounded down to cents');
select is(app.round_down(-0.019, 2), -0.01, 'negative money is rounded towards zero');
select is(app.cycle_commission(0.99, 0.33333), 0.32, 'commission is base x ratio, rounded down to cents');
select is(app.commission_points(720.01, 0.3333), 239.9793, 'points of a commission keep four decimals');
select is(app.amount_left(100, 3, 1), 66.66, 'what is left of an amount is rounded once, from the whole');

select * from finish();
rollback;
