-- Guarantee operation/events-complete
begin;
\ir ../support/fixture.psql
\ir ../support/events.psql
select plan(6);

update app.settings set withdrawal_minimum = 1, withdrawal_fee_rate = 0.01, adjustment_limit_money = 50,
  adjustment_limit_points = 50;
create temporary table m as select pg_temp.sign_up() as uid, pg_temp.administrator() as one,
  pg_temp.administrator() as two;
create temporary table a (n serial, id bigint);
insert into a (id) select (app.create_adjustment(uid, 100.00, 2, 3.5, 'reason', null, now())).id from m;
select results_eq('select pg_temp.told()', format($$ values (
  'adjustment.booked adjustment %s for %s {"brokerage": "100.00", "frozen_points": 2, "available_points": 3.5} by job'
) $$, a.id, m.uid), 'an adjustment that is booked at once') from a, m;

insert into a (id) select (app.create_adjustment(uid, 60.00, 0, 0, 'reason', one, now())).id from m;
insert into a (id) select (app.create_adjustment(uid, 70.00, 0, 0, 'reason', one, now())).id from m;
select app.decide_adjustment(id, 'booked', two, now()) from a, m where n = 2;
select app.decide_adjustment(id, 'booked', two, now()) from a, m where n = 2;
select app.decide_adjustment(id, 'refused', two, now()) from a, m where n = 3;
select results_eq('select pg_temp.told()', $$
  select format(
    'adjustment.%s adjustment %s for %s {"brokerage": "%s", "frozen_points": 0, "available_points": 0} by job', v.state,
    a.id, m.uid, v.amount
  )
  from (
    values (1, 'requested', 2, '60.00'), (2, 'requested', 3, '70.00'), (3, 'booked', 2, '60.00'),
    (4, 'refused', 3, '70.00')
  ) as v (rank, state, n, amount)
  join a on a.n = v.n cross join m order by v.rank
$$, 'one that waits, and how it is decided');

create function pg_temp.ask() returns bigint language sql as $$
  select (
    app.request_withdrawal(
      m.uid, 10, 'bank', (app.add_payout_account(m.uid, 'bank', 'Payee', '13800000000', 'Bank', now())).id, now()
    )
  ).id
  from m
$$;
create temporary table w (n serial, id bigint);
insert into w (id) select pg_temp.ask();
select app.approve_withdrawal(app.lock_withdrawal(id), now()) from w where n = 1;
select app.approve_withdrawal(app.lock_withdrawal(id), now()) from w where n = 1;
select app.move_withdrawal(app.lock_withdrawal(id), 'paying', now()) from w where n = 1;
select app.move_withdrawal(app.lock_withdrawal(id), 'failed', now(), 'reason') from w where n = 1;
insert into w (id) select pg_temp.ask();
select app.move_withdrawal(app.lock_withdrawal(id), 'refused', now(), 'reason') from w where n = 2;
insert into w (id) select pg_temp.ask();
select app.approve_withdrawal(app.lock_withdrawal(id), now()) from w where n = 3;
select app.move_withdrawal(app.lock_withdrawal(id), 'paid', now()) from w where n = 3;
insert into w (id) select pg_temp.ask();
select app.cancel_withdrawal(app.lock_withdrawal(id), now()) from w where n = 4;
select app.cancel_withdrawal(app.lock_withdrawal(id), now()) from w where n = 4;
select results_eq('select pg_temp.told()', $$
  select format(
    'withdrawal.%s withdrawal %s for %s {"fee": "0.10", "tax": "0.00", "amount": "10.00", "method": "bank"} by job',
    v.state, w.id, m.uid
  )
  from (
    values (1, 'requested', 1), (2, 'approved', 1), (3, 'failed', 1), (4, 'requested', 2), (5, 'refused', 2),
    (6, 'requested', 3), (7, 'approved', 3), (8, 'paid', 3), (9, 'requested', 4), (10, 'cancelled', 4)
  ) as v (rank, state, n)
  join w on w.n = v.n cross join m order by v.rank
$$, 'every state of a withdrawal but paying');

insert into w (id) select pg_temp.ask();
select app.approve_withdrawal(app.lock_withdrawal(id), now()) from w where n = 5;
create temporary table b as select (app.create_withdrawal_batch('bank', null, null, null, now())).id;
select count(*) from pg_temp.told();
select app.end_withdrawal_batch(id, null, 'ref', null, now()) from b;
select app.end_withdrawal_batch(id, null, 'ref', null, now()) from b;
select results_eq(
  'select pg_temp.told()',
  format(
    $$ values (
      'withdrawal.paid withdrawal %s for %s {"fee": "0.10", "tax": "0.00", "amount": "10.00", "method": "bank"} by job'
    ) $$,
    w.id, m.uid
  ),
  'what a batch pays, once'
)
from w, m where w.n = 5;

select app.begin_release('2026-01-02', true, now());
select app.release_chunk('2026-01-02', array(select uid from app.users order by uid), now());
select app.end_release('2026-01-02', 1, now());
select is_empty('select pg_temp.told()', 'the release of a day is not told before it is complete');
select app.end_release('2026-01-02', 0, now());
select app.end_release('2026-01-02', 0, now());
select results_eq('select pg_temp.told()', $$
  select format(
    'points.released release 20260102 {"users": %s, "points": %s, "release_date": "2026-01-02"} by job', users,
    trim_scale(points)
  )
  from app.release_runs where release_date = '2026-01-02'
$$, 'and then once, for all members together');

select * from finish();
rollback;
