begin;
\ir ../support/fixture.psql
select plan(6);

delete from app.release_runs;
select is(app.days_to_release(null, '2026-03-05'), array['2026-03-05']::date[], 'the first run is today');
insert into app.release_runs (release_date, started_at, finished_at) values ('2026-03-01', now(), now()), ('2026-03-03', now(), now());
insert into app.release_runs (release_date, started_at) values ('2026-03-04', now());
select is(app.days_to_release(null, '2026-03-05'), array['2026-03-02', '2026-03-04', '2026-03-05']::date[], 'missed and unfinished days, oldest first');
select is(app.days_to_release('2026-03-03', '2026-03-05'), array[]::date[], 'a finished day is done');
select is(app.days_to_release('2026-02-10', '2026-03-05'), array['2026-02-10']::date[], 'one day on request');
select throws_ok($$ select app.days_to_release('2026-03-06', '2026-03-05') $$, 'PT422', 'invalid_argument', 'not one that has not come');
select throws_ok($$ select app.days_to_release('2025-02-05', '2026-03-05') $$, 'PT422', 'invalid_argument', 'nor one of a year ago, after which every day since would be made up');

select * from finish();
rollback;
