begin;
\ir ../support/fixture.psql
select plan(2);

create function pg_temp.run_days(p_frozen numeric, p_days integer) returns numeric language plpgsql as $$
declare v_left numeric := p_frozen; begin
  for i in 1..p_days loop v_left := v_left - app.release_amount(v_left); end loop;
  return p_frozen - v_left;
end $$;
select ok(abs(app.forecast_release(15000, 365) - pg_temp.run_days(15000, 365)) < 365 * 0.0001, 'a year differs by less than the daily rounding');
select is(app.forecast_release(15000, 1), 6.0000, 'one day is the daily release');

select * from finish();
rollback;
