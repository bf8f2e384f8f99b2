-- Guarantee money/withdrawal-cancelled
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(13);

update app.settings set withdrawal_limit = 0, cancellations_per_hour = 3;
create temporary table m as select pg_temp.reporter() as me, pg_temp.sign_up() as other;
select from m, pg_temp.earn(m.me);
create temporary table admins as select pg_temp.administrator() as one, pg_temp.administrator() as two;
create function pg_temp.cancel(p_id bigint, p_uid bigint default null) returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call(
    (select u.auth_id from app.users as u where u.uid = coalesce(p_uid, (select m.me from m))), 'cancel_withdrawal',
    jsonb_build_object('p_id', p_id), 'authenticated'
  );
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'state' else left(v_answer, 80) end;
end
$$;

create temporary table w as select pg_temp.withdraw(me, 700) as id from m;
select is(pg_temp.cancel(id, other), 'PT404 withdrawal_not_found', 'another member cannot cancel it') from w, m;
select is(pg_temp.money(me), '20.00 of 20.00', 'it is still out of the balance') from m;
select is(pg_temp.cancel(id), 'cancelled', 'the member cancels a withdrawal that nobody has approved') from w;
select is(pg_temp.money(me), '720.00 of 720.00', 'the amount has returned') from m;
select is(pg_temp.cancel(id), 'cancelled', 'cancelling it again changes nothing') from w;
select is(
  (select count(*) from app.user_bill as l where l.withdrawal_id = w.id), 2::bigint,
  'the bill has it once in each direction'
)
from w;
select is(
  (select count(*) from app.events as e where e.type = 'withdrawal.cancelled' and e.subject_id = w.id), 1::bigint,
  'it is told once'
)
from w;
select is(app.commission_since(me, '-infinity'), 720.00, 'the amount is not earned again') from m;
select is((select count(*) from app.debts(now()) as d, m where d.uid = m.me), 0::bigint, 'the member owes nothing')
from m;

update w set id = pg_temp.withdraw(me, 700) from m;
select pg_temp.call(a.one, 'approve_withdrawal', jsonb_build_object('p_id', w.id)) from admins as a, w;
select is(
  pg_temp.cancel(id), 'PT409 withdrawal_state_conflict', 'what one of two administrators has approved is not cancelled'
)
from w;
select pg_temp.call(a.two, 'approve_withdrawal', jsonb_build_object('p_id', w.id)) from admins as a, w;
select is(pg_temp.cancel(id), 'PT409 withdrawal_state_conflict', 'nor is what is approved') from w;
select app.move_withdrawal(app.lock_withdrawal(id), 'refused', now(), 'No') from w;

update app.settings set cancellations_per_hour = 1;
update w set id = pg_temp.withdraw(me, 700) from m;
select is(pg_temp.cancel(id), 'PT429 too_many_requests', 'the quota of cancellations limits it') from w;
select is(
  (select l.state from app.withdrawals as l join w using (id)), 'requested', 'what was not cancelled still waits'
);

select * from finish();
rollback;
