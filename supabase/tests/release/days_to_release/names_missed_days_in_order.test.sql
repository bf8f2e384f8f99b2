-- Guarantee money/release-missed-days: Missed days are released later
-- By: app.days_to_release
begin;
\ir ../../support/fixture.psql
select plan(10);

delete from app.release_runs;
select is(app.days_to_release(null, '2026-03-05'), array['2026-03-05']::date[], 'the first run releases today');
insert into app.release_runs (
  release_date, started_at, finished_at, is_named_only
) values ('2026-02-10', now(), now(), true);
select is(
  app.days_to_release(null, '2026-03-05'), array['2026-03-05']::date[],
  'a day released by name does not make later days missed'
);
insert into app.release_runs (release_date, started_at, is_named_only) values ('2026-02-12', now(), true);
select is(
  app.days_to_release(null, '2026-03-05'), array['2026-02-12', '2026-03-05']::date[], 'an unfinished day is completed'
);
insert into app.release_runs (release_date, started_at, finished_at) values ('2026-03-01', now(), now()),
  ('2026-03-03', now(), now());
insert into app.release_runs (release_date, started_at) values ('2026-03-04', now());
select is(
  app.days_to_release(null, '2026-03-05'), array['2026-02-12', '2026-03-02', '2026-03-04', '2026-03-05']::date[],
  'missed and unfinished days, oldest first'
);
select is(app.days_to_release('2026-03-03', '2026-03-05'), array[]::date[], 'a finished day is not released again');
select is(
  app.days_to_release('2026-03-04', '2026-03-05'), array['2026-03-04']::date[], 'an unfinished day is released again'
);
select is(
  app.days_to_release('2026-02-11', '2026-03-05'), array['2026-02-11']::date[], 'a given day is released alone'
);
select throws_ok(
  $$ select app.days_to_release('2026-03-06', '2026-03-05') $$, 'PT422', 'invalid_argument', 'a future day is rejected'
);
select throws_ok(
  $$ select app.days_to_release('2025-02-05', '2026-03-05') $$, 'PT422', 'invalid_argument',
  'a day more than a year ago is rejected'
);
insert into app.release_runs (release_date, started_at, is_named_only) values ('2025-02-05', '2026-02-05', true);
select is(app.days_to_release('2025-02-05', '2026-03-05'), array['2025-02-05']::date[], 'unless its release has begun');

select * from finish();
rollback;
