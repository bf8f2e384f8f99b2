begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as top;
create temporary table n as select pg_temp.reporter((select top from m)) as child;
select pg_temp.reporter((select child from n));
select pg_temp.sum_teams();
create temporary table summed as select * from app.team_totals;
select pg_temp.sign_up((select top::text from m));
update app.team_totals set umbrella_members = umbrella_members + 5;
select isnt_empty('select * from app.reconcile_team_totals()', 'the totals are damaged');
select app.rebuild_team_totals();
select is_empty('select * from app.reconcile_team_totals()', 'the totals are the sums of the leaves again');
select is(pg_temp.team((select top from m)), '2 1 3 2', 'the totals contain the queued changes');
select pg_temp.sum_teams();
select is(pg_temp.team((select top from m)), '2 1 3 2', 'the queued changes are not added a second time');

select * from finish();
rollback;
