begin;
\ir ../support/fixture.psql
select plan(3);

update app.settings set time_zone = 'Asia/Shanghai';
select is(app.business_day('2026-11-20 15:59:59+00'), '2026-11-20'::date, 'a second before midnight in the time zone of the store, it is still the same day');
select is(app.business_day('2026-11-20 16:00:00+00'), '2026-11-21'::date, 'at midnight in the time zone of the store, the next day begins');
update app.settings set time_zone = 'America/New_York';
select is(app.business_day('2026-11-21 04:59:59+00'), '2026-11-20'::date, 'another time zone changes the day');

select * from finish();
rollback;
