begin;
\ir ../../support/fixture.psql
select plan(7);

select pg_temp.sum_teams();
create temporary table m as select pg_temp.sign_up() as top;
select pg_temp.sign_up((select top::text from m)) from generate_series(1, 5);
update app.team_totals_as_of set as_of = '2000-01-01Z';
select is(app.sum_team_changes(2), true, 'after a full batch, more may be left');
select is((select as_of from app.team_totals_as_of), '2000-01-01Z', 'the totals are not complete yet');
select is(pg_temp.team((select top from m)), '2 0 2 0', 'the totals contain the batch');
select is(app.sum_team_changes(2), true, 'a second full batch may leave more, too');
create temporary table before as select clock_timestamp() as at;
select is(app.sum_team_changes(2), false, 'after a smaller batch, nothing is left');
select ok(
  (select a.as_of between b.at and clock_timestamp() from app.team_totals_as_of as a, before as b),
  'the totals are complete as of the moment before the rows were taken'
);
select is(pg_temp.team((select top from m)), '5 0 5 0', 'the totals contain all changes');

select * from finish();
rollback;
