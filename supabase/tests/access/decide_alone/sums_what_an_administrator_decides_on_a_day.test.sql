begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table admins as select pg_temp.administrator() as one;
create function pg_temp.adjust(p_by uuid, p_args jsonb) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    p_by, 'create_adjustment', jsonb_build_object('p_uid', (select uid from m), 'p_reason', 'A lost order') || p_args
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'state' else v_answer end;
end
$$;

select results_eq(
  $$ select pg_temp.adjust(a.one, '{"p_brokerage": 300}') from admins as a, generate_series(1, 4) $$,
  $$ values ('booked'), ('booked'), ('booked'), ('PT409 second_administrator_needed') $$,
  'small adjustments are summed up to the limit of 1,000.00'
);
select is(pg_temp.adjust(a.one, '{"p_brokerage": -100}'), 'booked', 'what is left of the limit can be decided')
from admins as a;
select is(
  pg_temp.adjust(a.one, '{"p_brokerage": -0.01}'), 'PT409 second_administrator_needed',
  'the sign of an amount does not matter'
)
from admins as a;
select is(
  pg_temp.adjust(a.one, '{"p_frozen_points": 400, "p_available_points": 600}'), 'booked',
  'points have a sum of their own, of both balances'
)
from admins as a;
select is(
  pg_temp.adjust(a.one, '{"p_available_points": 0.0001}'), 'PT409 second_administrator_needed',
  'the limit of points is reached, too'
)
from admins as a;

update app.decided_alone as d set day = d.day - 1;
select is(pg_temp.adjust(a.one, '{"p_brokerage": 1000}'), 'booked', 'the next business day has a sum of its own')
from admins as a;

alter table admins add two uuid;
update admins set two = pg_temp.administrator();
-- One of several roles is enough.
update app.administrators as d set roles = '{service, finance}' from admins as a where d.auth_id = a.two;
select is(
  pg_temp.adjust(a.one, '{"p_brokerage": 0.01}'), 'waiting',
  'with a second administrator, what is above the limit waits'
)
from admins as a;
select is(pg_temp.adjust(a.two, '{"p_brokerage": 999.99}'), 'booked', 'the second administrator has a sum of their own')
from admins as a;
select is(
  pg_temp.call(a.two, 'approve_adjustment', jsonb_build_object('p_id', max(w.id)))::jsonb ->> 'state', 'booked',
  'the second administrator approves what waits'
) from admins as a, app.adjustments as w where w.state = 'waiting' group by a.two;
select is(pg_temp.adjust(a.two, '{"p_brokerage": 0.01}'), 'booked', 'what two have decided is not in the sum of either')
from admins as a;
select results_eq(
  'select (d.auth_id = a.one), d.kind, d.money, d.points from app.decided_alone as d, admins as a order by 1',
  $$ values (false, 'adjustment', 1000.00, 0.0000), (true, 'adjustment', 1000.00, 0.0000) $$,
  'the sums are those of what was booked alone'
);
select is(
  (app.create_adjustment(m.uid, 100000, null, null, 'Test', null, now())).state, 'booked',
  'the owner of the database has no limit'
)
from m;
select is(
  app.decide_alone('withdrawal', 20000, 0, a.one, m.uid, now()), true, 'each kind has a sum and a limit of its own'
)
from admins as a, m;

select * from finish();
rollback;
