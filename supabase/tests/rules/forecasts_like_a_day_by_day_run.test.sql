begin;
\ir ../support/fixture.psql
select plan(6);

create function pg_temp.run_days(p_frozen numeric, p_days integer) returns numeric language plpgsql as $$
declare v_left numeric := p_frozen; begin
  for i in 1..p_days loop v_left := v_left - app.release_amount(v_left); end loop;
  return p_frozen - v_left;
end $$;
select ok(
  abs(app.forecast_release(15000, 365) - pg_temp.run_days(15000, 365)) < 365 * 0.0001,
  'a year differs by less than the daily rounding'
);
select is(app.forecast_release(15000, 1), 6.0000, 'one day is the daily release');
select is(app.forecast_release(0.5, 1), 0.0002, 'of less than one point, too');
select is(app.forecast_release(0, 365), 0.0000, 'of nothing, nothing is released');
select is(app.forecast_release(-5, 365), 0.0000, 'nor of a debt');
select is(app.forecast_release(15000, 0), 0.0000, 'nor in no time');

select * from finish();
rollback;
