-- Guarantee privacy/left-gave-up: What a member gave up by leaving is owed to nobody, nor what comes back to them. A
-- refund of it leaves no debt
-- By: one transaction, app.forfeit_balances and app.reversals
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/leavers.psql
select plan(20);

create function pg_temp.debts() returns text language sql as $$
  select concat_ws(' ', l ->> 'owed', l ->> 'debts', l #>> '{points,negative}', l #>> '{left,commission}')
  from app.liabilities_json(null, now()) as l
$$;

-- Dan has 720.00 and 720 points of an order of Ann, 360.00 of it matured, when he leaves.
create temporary table d as select pg_temp.reporter() as dan;
update app.orders as o set state = 'received', received_at = now() - interval '30 days' from d where o.uid = d.dan;
select from app.create_plan('{"holding_days": 7}', null, now());
create temporary table a as select pg_temp.sign_up((select dan::text from d)) as ann;
create temporary table o as select pg_temp.report(ann) as id from a;
select app.confirm_receipt(id, now()) from o;
select from d, app.create_adjustment(dan, 0, -100, 100, 'Test', null, now());
select is(app.withdrawable(dan, now()), 0.00, 'the commission matures in a week') from d;
select is(pg_temp.give_up(dan), true, 'the account is deleted') from d;
select is(pg_temp.has(dan), '{0, 0, 0}', 'all balances are given up') from d;
select is((select count(*)::integer from d, app.maturing(dan, now())), 0, 'with what was still to mature');
select is(pg_temp.debts(), '0.00 0.00 0 0.00', 'so nothing looks like a debt');
select is((select count(*)::integer from app.debts(now())), 0, 'in the list of debts neither');
select is(
  (select array[u.left_at = now(), u.left_position is not null] from app.users as u, d where u.uid = d.dan), '{t, t}',
  'when and where they left is stored'
);
select is(
  (select count(*)::integer from app.events as e, d where e.type = 'member.left' and e.subject_id = d.dan), 1,
  'one event tells shops'
);
select is((pg_temp.settlement(pg_temp.report(ann))).reason, 'referrer_left', 'the next order below pays nobody') from a;
select is(pg_temp.debts(), '0.00 0.00 0 0.00', 'and nothing is owed for it');

-- A refund of half the order, then of all of it.
create temporary table second as select pg_temp.report(ann, 1) as id from a;
select app.refund_order(id, null, 'r', now()) from o;
select is(pg_temp.has(dan), '{0, 0, 0}', 'a refund of the order takes back what was given up, and leaves no debt')
from d;
select is(pg_temp.debts(), '0.00 0.00 0 0.00', 'in no figure');
select is(
  (select array[f.brokerage, f.frozen, f.available] from d, app.forfeit_left(dan) as f), array[0, 0, 0]::numeric[],
  'nothing is left of what was given up'
);
select results_eq(
  $$ select a.kind, sign(a.brokerage_delta), sign(a.frozen_delta), sign(a.available_delta) from app.adjustments as a, d
  where a.uid = d.dan and a.kind <> 'correction' order by a.id $$,
  $$ values ('forfeit', -1::numeric, -1::numeric, -1::numeric), ('forfeit', 1, 1, 1) $$, 'two adjustments say so'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

-- What exceeds it is the debt of decision 0112: 200.00 were withdrawn before.
create temporary table e as select pg_temp.reporter() as eve;
update app.orders as o set state = 'received', received_at = now() - interval '30 days' from e where o.uid = e.eve;
select from app.create_plan('{"holding_days": 0}', null, now());
create temporary table f as select pg_temp.earn(eve) as id from e;
create temporary table w as select pg_temp.withdraw(eve, 200) as id from e;
select app.move_withdrawal(app.lock_withdrawal(id), 'approved', now()) from w;
select app.move_withdrawal(app.lock_withdrawal(id), 'paid', now()) from w;
select pg_temp.give_up(eve) from e;
select app.refund_order(id, null, 'r', now()) from f;
select is((pg_temp.has(eve))[1], -200::numeric, 'what they had withdrawn stays as a debt without a name') from e;
select is(pg_temp.debts(), '0.00 200.00 0 0.00', 'which the liabilities state');

-- What comes back is given up at once. The account is removed in Auth while the deletion waits and a withdrawal is
-- open.
create temporary table g as select pg_temp.reporter() as gus;
update app.orders as o set state = 'received', received_at = now() - interval '30 days' from g where o.uid = g.gus;
select pg_temp.earn(gus) from g;
create temporary table v as select pg_temp.withdraw(gus, 300) as id from g;
insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
select u.uid, u.auth_id, now(), now() + interval '7 days', 0, 0, 0 from app.users as u, g where u.uid = g.gus;
delete from auth.users where id = (select u.auth_id from app.users as u, g where u.uid = g.gus);
select is(pg_temp.has(gus), '{0, 0, 0}', 'a deletion that was asked for is one, whoever removes the account') from g;
select app.move_withdrawal(app.lock_withdrawal(id), 'refused', now(), 'No account') from v;
select is(pg_temp.has(gus), '{0, 0, 0}', 'a withdrawal that fails later is given up, too') from g;
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing again');

select * from finish();
rollback;
