begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table t as select '2026-03-01 12:00+00'::timestamptz as right_time;
delete from app.clock;
insert into app.clock (trusted_at) select right_time from t;
-- The clock jumps by five hours, again and again. Each jump alone is trusted.
select from t, generate_series(1, 24) as n,
  lateral (select app.beat_clock(right_time + n * interval '5 hours')) as b,
  lateral (select app.hear_clock(right_time, right_time + n * interval '5 hours')) as h;
select is(
  app.clock_state(right_time + interval '120 hours'), 'doubtful', 'several small jumps are as doubtful as a large one'
)
from t;
select ok(
  (select c.trusted_at from app.clock as c) <= right_time + interval '5 hours',
  'no heartbeat counts once a second clock disagrees'
)
from t;
select from t, app.hear_clock(right_time + interval '1 hour', right_time + interval '1 hour');
select is(app.clock_state(right_time + interval '2 hours'), 'ok', 'a clock that is corrected is trusted again') from t;

select * from finish();
rollback;
