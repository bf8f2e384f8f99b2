begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.sign_up() as top, pg_temp.reporter() as head;
create temporary table n as select pg_temp.reporter((select head from m)) as child;
select pg_temp.sum_teams();
select is(pg_temp.team((select top from m)), 'none', 'the top has no totals before the binding');
-- What changes below the head after the binding, and before the totals know of it.
select app.bind_spread(head, top, now()) from m;
select pg_temp.buy((select child from n)), pg_temp.sign_up((select child::text from n));
select pg_temp.sum_teams();
select is(pg_temp.team((select top from m)), '1 1 3 3', 'the top has the head and everyone below the head');
select is(pg_temp.team((select head from m)), '1 2 2 2', 'the head has the members below the head');
select pg_temp.buy((select head from m));
select pg_temp.sum_teams();
select is(pg_temp.team((select top from m)), '1 2 3 4', 'later orders count for the top');
select is_empty('select * from app.reconcile_team_totals()', 'the totals are the sums of the leaves');

select * from finish();
rollback;
