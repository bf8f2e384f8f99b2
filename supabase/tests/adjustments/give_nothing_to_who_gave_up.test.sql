-- Guarantee privacy/left-adjustments: An adjustment gives a member who gave up their balances at most what they owe,
-- even if it was made before they left
-- By: app.gives_to_who_gave_up
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/leavers.psql
grant store_api to postgres;
select plan(20);

create temporary table admins as select pg_temp.administrator() as first, pg_temp.administrator() as second;
create function pg_temp.make(p_uid bigint, p_amounts jsonb) returns text language sql as $$
  select pg_temp.call_proved(
    first, 'create_adjustment', jsonb_build_object('p_uid', p_uid, 'p_reason', 'Test') || p_amounts
  )
  from admins
$$;
create function pg_temp.decide(p_function text, p_made text) returns text language sql as $$
  select case when r like 'PT%' then r else r::jsonb ->> 'state' end
  from admins,
    pg_temp.call_proved(second, p_function, jsonb_build_object('p_id', (p_made::jsonb ->> 'id')::bigint)) as r
$$;

-- Both have something when they leave, and adjustments that wait. Dan asked for it; the account of Rem is removed.
create temporary table m as select pg_temp.sign_up() as dan, pg_temp.sign_up() as rem, pg_temp.sign_up() as owes;
select app.create_adjustment(x.uid, 50, 20, 10, 'Test', null, now()) from m
cross join lateral (values (m.dan), (m.rem)) as x (uid);
update app.settings set adjustment_limit_money = 1, adjustment_limit_points = 1 where true;
create temporary table w as select pg_temp.make(dan, '{"p_brokerage": 5}') as gives,
  pg_temp.make(dan, '{"p_brokerage": -5}') as takes, pg_temp.make(rem, '{"p_brokerage": 5}') as gives_rem
  from m;
select is(
  (select array[gives::jsonb ->> 'state', takes::jsonb ->> 'state', gives_rem::jsonb ->> 'state'] from w),
  '{waiting,waiting,waiting}', 'adjustments wait for a second administrator'
);
select app.create_adjustment(owes, -30, null, -4, 'Test', null, now()) from m;
select is(
  array[pg_temp.give_up(dan), pg_temp.give_up(owes)], '{t, t}', 'two accounts are deleted as their members asked'
)
from m;
delete from auth.users where id = (select u.auth_id from app.users as u, m where u.uid = m.rem);
select is(
  array[pg_temp.has(dan), pg_temp.has(rem), pg_temp.has(owes)], '{{0, 0, 0}, {50, 20, 10}, {-30, 0, -4}}',
  'one gives up what they had, one stays owed, one owes'
)
from m;

-- Nothing is entered that would be owed to them.
select is(
  pg_temp.make(dan, '{"p_brokerage": 0.01}'), 'PT409 adjustment_state_conflict',
  'who gave up what they had gets no money'
)
from m;
select is(pg_temp.make(dan, '{"p_frozen_points": 0.0001}'), 'PT409 adjustment_state_conflict', 'no frozen points')
from m;
select is(
  pg_temp.make(dan, '{"p_available_points": 0.0001, "p_brokerage": -1}'), 'PT409 adjustment_state_conflict',
  'and no available points, whatever else is taken'
)
from m;
select throws_ok(
  format('select app.create_adjustment(%s, 1, null, null, %L, null, now())', dan, 'Test'), 'PT409',
  'adjustment_state_conflict', 'from the owner of the database neither'
)
from m;
select is(
  pg_temp.make(owes, '{"p_brokerage": 30.01}'), 'PT409 adjustment_state_conflict', 'nor more than what they owe'
)
from m;
select is(
  (select count(*)::integer from app.adjustments as a, m where a.uid in (m.dan, m.owes) and a.state = 'waiting'), 2,
  'nothing of it waits: only the two from before do'
);

-- What was entered before the member left.
select is(
  pg_temp.decide('approve_adjustment', gives), 'PT409 adjustment_state_conflict',
  'what was entered before they left is not booked'
)
from w;
select is(pg_temp.decide('refuse_adjustment', gives), 'refused', 'it is refused') from w;
select is(pg_temp.has(dan), '{0, 0, 0}', 'nothing is owed to them') from m;
select is(pg_temp.decide('approve_adjustment', takes), 'booked', 'what only takes is booked, as for anybody') from w;

-- A debt can be settled, up to nothing.
create temporary table s as select pg_temp.make(owes, '{"p_brokerage": 30, "p_available_points": 4}') as settles,
  pg_temp.make(owes, '{"p_brokerage": 1}') as also
  from m;
select is(pg_temp.decide('approve_adjustment', settles), 'booked', 'what they owe can be written off') from s;
select is(pg_temp.decide('approve_adjustment', also), 'PT409 adjustment_state_conflict', 'once') from s;
select is(pg_temp.has(owes), '{0, 0, 0}', 'then they owe nothing, and nothing is owed') from m;

-- Who did not ask for it stays owed, and may be owed more.
select is(pg_temp.decide('approve_adjustment', gives_rem), 'booked', 'what a removed member is owed can be corrected')
from w;
create temporary table p as
select pg_temp.make(rem, '{"p_brokerage": -55, "p_kind": "payout"}') as pays,
  pg_temp.make(rem, '{"p_frozen_points": -20, "p_available_points": -10, "p_kind": "forfeit"}') as forfeits
from m;
select is(
  array[pg_temp.decide('approve_adjustment', pays), pg_temp.decide('approve_adjustment', forfeits)], '{booked, booked}',
  'two administrators pay it or declare it forfeit'
)
from p;
select is(pg_temp.has(rem), '{0, 0, 0}', 'until nothing is left') from m;
select is_empty($$ select * from app.reconcile() $$, 'reconcile() finds nothing');

select * from finish();
rollback;
