-- Guarantee privacy/left-is-owed: What the member of an account removed in Auth is owed stays owed, in a part of its
-- own, until two administrators pay or forfeit it
-- By: app.left_totals and app.create_adjustment
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(22);

create function pg_temp.has(p_uid bigint) returns numeric[] language sql as $$
  select array[trim_scale(b.brokerage_price), trim_scale(b.frozen_points), trim_scale(b.available_points)]
  from app.user_balances as b where b.uid = p_uid
$$;
create function pg_temp.parts(p_at timestamptz) returns jsonb language sql as $$
  select jsonb_build_object(
    'owed', l -> 'owed', 'withdrawable', l -> 'withdrawable', 'maturing', l -> 'maturing', 'frozen',
    l #> '{points,frozen}', 'released', l #> '{points,release,members}', 'left', l -> 'left'
  )
  from app.liabilities_json(p_at, now()) as l
$$;

create temporary table m as select pg_temp.reporter() as removed, pg_temp.reporter() as keeper;
select pg_temp.earn(removed), pg_temp.earn(keeper) from m;
select from app.create_plan('{"holding_days": 7}', null, now());
select pg_temp.earn(removed) from m;
create temporary table w as select pg_temp.withdraw(removed, 120) as id from m;
create temporary table l as select u.left_at, u.left_position from app.users as u, m where u.uid = m.removed;
select is(
  pg_temp.parts(null) -> 'left', '{"members": 0, "commission": "0.00", "frozen_points": 0, "available_points": 0}',
  'nobody has left'
);
create temporary table before as select pg_temp.parts(null) as parts, pg_temp.has(removed) as has,
  clock_timestamp() as at
  from m;
delete from auth.users where id = (select u.auth_id from app.users as u, m where u.uid = m.removed);
select ok(u.left_at > b.at and u.left_position is not null, 'a member whose account is removed in Auth has left')
from app.users as u, m, before as b where u.uid = m.removed;
select is(pg_temp.has(removed), has, 'the balances stay as they are') from m, before;
select is(
  pg_temp.parts(null),
  jsonb_build_object(
    'owed', b.parts -> 'owed', 'withdrawable', '720.00', 'maturing', '0.00', 'frozen',
    k.frozen_points::double precision, 'released', 1,
    'left',
    jsonb_build_object(
      'members', 1, 'commission', has[1]::numeric(14,2)::text, 'frozen_points', has[2], 'available_points', has[3]
    )
  ),
  'what they are owed is a part of its own of what is owed'
) from before as b, m, app.user_balances as k where k.uid = m.keeper;
select is(pg_temp.parts(b.at), b.parts, 'an instant before is as it was') from before as b;
select is(
  (select sum(o.owed)::text from app.owed_at(null, now()) as o), pg_temp.parts(null) ->> 'owed', 'the file adds up'
);
select is(
  (select o.left_commission from m, app.owed_at(null, now()) as o where o.uid = m.removed), has[1],
  'with what is owed to the member'
)
from before;
select is(app.forecast_json(removed) ->> 'members', '0', 'their points are in no forecast') from m;
select is((app.member_at(removed, b.at)).left_at, null, 'the member of an instant before had not left')
from m, before as b;

-- What comes back is owed, too.
select app.move_withdrawal(app.lock_withdrawal(id), 'refused', now(), 'No account') from w;
select is((pg_temp.has(removed))[1], has[1] + 120, 'a withdrawal that fails returns to the balance') from m, before;

-- The release passes them over, for a missed day, too.
create temporary table r as select pg_temp.has(removed) as has from m;
insert into app.release_runs (release_date, started_at, is_named_only) select app.business_day(now()) - d, now(), true
from generate_series(0, 1) as d;
select app.release_chunk(app.business_day(now()), array[removed, keeper], now()) from m;
select app.release_chunk(app.business_day(now()) - 1, array[removed, keeper], now(), now() + interval '1 second')
from m;
select app.end_release(app.business_day(now()) - d, 0, now()) from generate_series(0, 1) as d;
select is(pg_temp.has(removed), has, 'the release passes them over') from m, r;
select ok((pg_temp.has(keeper))[3] > 0, 'but nobody else') from m;

-- Two administrators pay or declare forfeit what is owed.
create temporary table admin as select pg_temp.administrator() as first;
update app.settings set adjustment_limit_money = 100000, adjustment_limit_points = 100000 where true;
select is(
  pg_temp.call_proved(
    first, 'create_adjustment',
    jsonb_build_object('p_uid', removed, 'p_reason', 'Paid in cash', 'p_brokerage', -1, 'p_kind', 'payout')
  ),
  'PT409 second_administrator_needed', 'a store with one administrator does not pay them'
) from admin, m;
alter table admin add second uuid;
update admin set second = pg_temp.administrator();
select is(
  pg_temp.call_proved(
    first, 'create_adjustment',
    jsonb_build_object('p_uid', keeper, 'p_reason', 'Test', 'p_brokerage', -1, 'p_kind', 'payout')
  ),
  'PT422 invalid_argument', 'nobody else is paid like that'
) from admin, m;
create temporary table p as
select pg_temp.call_proved(
  first, 'create_adjustment',
  jsonb_build_object('p_uid', removed, 'p_reason', 'Paid in cash', 'p_brokerage', -100, 'p_kind', 'payout')
)::jsonb as answer
from admin, m;
select is(answer ->> 'state', 'waiting', 'one administrator alone does not') from p;
select is(
  pg_temp.call_proved(
    second, 'approve_adjustment', jsonb_build_object('p_id', (answer ->> 'id')::bigint)
  )::jsonb ->> 'kind',
  'payout', 'a second one does'
)
from admin, p;
create temporary table q as
select pg_temp.call_proved(
  first, 'create_adjustment',
  jsonb_build_object(
    'p_uid', removed, 'p_reason', 'Not found', 'p_brokerage', -b.brokerage_price, 'p_frozen_points', -b.frozen_points,
    'p_kind', 'forfeit'
  )
)::jsonb as answer from admin, m join app.user_balances as b on b.uid = m.removed;
select is(
  pg_temp.call_proved(
    second, 'approve_adjustment', jsonb_build_object('p_id', (answer ->> 'id')::bigint)
  )::jsonb ->> 'state',
  'booked', 'so is the rest declared given up'
)
from admin, q;
select is(pg_temp.has(removed), '{0, 0, 0}', 'nothing is left') from m;
select is(
  pg_temp.parts(null) -> 'left', '{"members": 0, "commission": "0.00", "frozen_points": 0, "available_points": 0}',
  'of this part neither'
);
select is(
  (select f.brokerage from m, app.forfeit_left(removed) as f), has[1] + 120 - 100,
  'what was given up covers later refunds'
)
from before;
select is((select count(*)::integer from app.account_deletions), 0, 'no deletion was asked for');
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
