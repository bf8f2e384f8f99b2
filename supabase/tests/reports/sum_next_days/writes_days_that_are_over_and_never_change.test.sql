-- Guarantee reports/days: A day that is over has the same figures whenever they are read, from sums or from its rows
-- By: app.valid_day_sums says which sums still count
begin;
\ir ../../support/fixture.psql
\ir ../../support/reports.psql
select plan(15);

create function pg_temp.days() returns table (line text) language sql as $$ select pg_temp.line(d)
  from app.report_days('2020-02-29', '2020-04-02') as d order by d.day $$;
create temporary table computed as select * from pg_temp.days();

select is(
  app.sum_next_days('2020-03-04 00:00:00+08', 3), false,
  'three days that ended at least 24 hours ago are summed at once'
);
select set_eq(
  'select day from app.day_sums', array['2020-02-29', '2020-03-01', '2020-03-02']::date[],
  'from the first member on, not the day that ended less than 24 hours ago'
);
select is(app.sum_next_days('2020-04-10 00:00:00+08', 5), true, 'more are left');
select is(
  (
    select array_agg(f.again)
    from (select app.sum_next_days('2020-04-10 00:00:00+08', 5) as again from generate_series(1, 8)) as f
  ) @> array[false],
  true, 'until none is left'
);
select is((select max(day) from app.day_sums), '2020-04-08'::date, 'up to the last day that ended 24 hours ago');
select set_eq(
  'select line from pg_temp.days()', 'select line from computed', 'reports with sums are what they were without'
);

update app.day_sums set paid = 1 where day = '2020-03-02';
select is(
  (select paid from app.report_days('2020-03-02', '2020-03-02')), 1.00, 'a day that is summed is not computed again'
);
select is(
  (select paid from app.report_days('2020-03-02', (now() + interval '1 day')::date) where day = '2020-03-02'), 1.00,
  'also beside days that are not'
);

savepoint zone;
update app.settings set time_zone = 'UTC';
select results_eq(
  $$ select day, paid
  from app.report_days('2020-03-01', '2020-03-02') $$, $$ values (date '2020-03-01', 7415.80), ('2020-03-02', 0.00) $$,
  'another time zone has other days, which are computed'
);
rollback to zone;

savepoint import;
insert into app.imports (form, source_hash, started_at, finished_at) values (
  'test', repeat('0', 64), '2020-05-01', '2020-05-02'
);
select is(
  (select paid from app.report_days('2020-03-02', '2020-03-02')), 3815.80,
  'an import that ended later has written to the past, so the day is computed'
);
select app.sum_next_days('2020-05-10 00:00:00+08', 100);
select is((select paid from app.day_sums where day = '2020-03-02'), 3815.80, 'and summed anew');
update app.imports set finished_at = null;
select is(
  app.sum_next_days('2020-05-10 00:00:00+08', 5), false, 'while an import is unfinished, a run writes nothing and ends'
);
select is(
  (select count(*) from app.day_sums where summed_at = '2020-05-10 00:00:00+08'), 70::bigint, 'and the sums stay'
);
rollback to import;

savepoint claim;
insert into app.users (nickname, add_time) values ('Nobody', '2020-03-05 12:00:00+08');
update app.day_sums set members = 1 where day = '2020-03-05';
delete from app.users where nickname = 'Nobody';
select is(
  (select members from app.day_sums where day = '2020-03-05'), 0,
  'a day loses a member who had joined on it and is deleted'
);
rollback to claim;

update app.day_sums set paid = 3815.80 where day = '2020-03-02';
select set_eq('select line from pg_temp.days()', 'select line from computed', 'put right, the days are what they were');

select * from finish();
rollback;
