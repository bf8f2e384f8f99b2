-- Guarantee rules/6-umbrella: R6, R7: points are multiplied by units; an ancestor gets what exceeds the points below
-- By: app.decide_levels
begin;
\ir ../support/fixture.psql
select plan(3);

select is(app.umbrella_share(800, 300), 500::numeric, 'a member gets what exceeds the amount passed on');
select is(app.umbrella_share(300, 300), 0::numeric, 'a member with the same amount gets nothing');
select is(app.umbrella_share(0, 500), 0::numeric, 'a member with a lower amount gets nothing');

select * from finish();
rollback;
