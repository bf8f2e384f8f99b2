begin;
\ir ../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as uid;
insert into app.adjustments (uid, available_delta, reason, state, add_time, decided_at) select m.uid, 1, 'Test',
  'booked', t.at, t.at
from m, unnest('{2025-08-06Z, 2025-10-06Z}'::timestamptz[]) as t (at);
insert into app.user_bill (
  uid, type, source, available_delta, brokerage_after, frozen_after, available_after, adjustment_id, add_time
)
select a.uid, 'adjustment', 'adjustment', 1, 0, 0, 1, a.id, a.decided_at from app.adjustments as a;

select is(app.closed_until('-infinity'), null, 'nothing is closed');
select from app.close_month('2025-10', null);
select is(app.closed_until('-infinity'), null, 'a closed month after rows of an open month is not final yet');
select from app.close_month('2025-08', null);
select is(
  app.closed_until('-infinity'), (select ends_at from app.closed_months where month = '2025-10-01'),
  'a month without rows between them need not be closed'
);
select is(
  app.closed_until((select ends_at from app.closed_months where month = '2025-10-01')), null,
  'after the last, nothing is closed'
);

select * from finish();
rollback;
