begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
create function pg_temp.today_release() returns text language plpgsql as $$
begin
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', (select u.auth_id from app.users as u, m where u.uid = m.a))::text,
    true
  );
  return api.get_assets_overview() ->> 'today_release';
end
$$;
select is(pg_temp.today_release(), '0.488', 'before the release, it shows 0.0004 of 1,220');
insert into app.release_runs (release_date, started_at) values (app.business_day(now()), now());
select from app.release_members(app.business_day(now()), array[(select a from m)], now());
select is(
  pg_temp.today_release(), '0.488',
  'after the release of the member, it shows the released points while the run continues'
);
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select is(pg_temp.today_release(), '0.488', 'new frozen points do not change the release of today');
update app.release_runs set finished_at = now();
select is(pg_temp.today_release(), '0.488', 'after the end of the run, it shows the released points');

select * from finish();
rollback;
