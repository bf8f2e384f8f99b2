begin;
\ir ../../support/fixture.psql
select plan(9);

delete from app.release_runs;
select is(app.days_to_release(null, '2026-03-05'), array['2026-03-05']::date[], 'the first run is today');
insert into app.release_runs (release_date, started_at, finished_at, is_named_only) values ('2026-02-10', now(), now(), true);
select is(app.days_to_release(null, '2026-03-05'), array['2026-03-05']::date[], 'a day that was named before does not open those since');
insert into app.release_runs (release_date, started_at, is_named_only) values ('2026-02-12', now(), true);
select is(app.days_to_release(null, '2026-03-05'), array['2026-02-12', '2026-03-05']::date[], 'but is completed if it is unfinished');
insert into app.release_runs (release_date, started_at, finished_at) values ('2026-03-01', now(), now()), ('2026-03-03', now(), now());
insert into app.release_runs (release_date, started_at) values ('2026-03-04', now());
select is(app.days_to_release(null, '2026-03-05'), array['2026-02-12', '2026-03-02', '2026-03-04', '2026-03-05']::date[], 'missed and unfinished days, oldest first');
select is(app.days_to_release('2026-03-03', '2026-03-05'), array[]::date[], 'a finished day is done');
select is(app.days_to_release('2026-03-04', '2026-03-05'), array['2026-03-04']::date[], 'an unfinished one is not');
select is(app.days_to_release('2026-02-11', '2026-03-05'), array['2026-02-11']::date[], 'one day on request, and that day alone');
select throws_ok($$ select app.days_to_release('2026-03-06', '2026-03-05') $$, 'PT422', 'invalid_argument', 'not one that has not come');
select throws_ok($$ select app.days_to_release('2025-02-05', '2026-03-05') $$, 'PT422', 'invalid_argument', 'nor one of a year ago');

select * from finish();
rollback;
