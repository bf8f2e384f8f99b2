begin;
\ir ../support/fixture.psql
select plan(3);

select is(app.umbrella_share(800, 300), 500::numeric, 'what exceeds the amount passed on');
select is(app.umbrella_share(300, 300), 0::numeric, 'nothing where it is the same');
select is(app.umbrella_share(0, 500), 0::numeric, 'never less than nothing');

select * from finish();
rollback;
