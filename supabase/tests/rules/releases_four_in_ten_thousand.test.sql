-- Guarantee rules/11-release: R11: the daily release gives 0.0004 of the frozen points
-- By: app.release_amount
begin;
\ir ../support/fixture.psql
select plan(5);

select is(app.release_amount(15000), 6.0000, '15000 gives 6');
select is(app.release_amount(38500), 15.4000, '38500 gives 15.4');
select is(app.release_amount(500), 0.2000, '500 gives 0.2');
select is(app.release_amount(0.2), 0.0000, '0.2 gives nothing');
select is(app.release_amount(0.25), 0.0001, '0.25 is the least that gives anything');

select * from finish();
rollback;
