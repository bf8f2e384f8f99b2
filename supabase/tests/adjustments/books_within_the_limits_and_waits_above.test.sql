begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(26);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table admins as select pg_temp.administrator() as maker;
create function pg_temp.adjust(p_by uuid, p_args jsonb) returns text language sql as $$
  select pg_temp.call(
    p_by, 'create_adjustment', jsonb_build_object('p_uid', (select uid from m), 'p_reason', 'A lost order') || p_args
  )
$$;

select is(
  (select pg_temp.adjust(a.maker, d.args) from admins as a), 'PT409 second_administrator_needed',
  'points that are given or taken in both balances count together'
)
from (
  values ('{"p_frozen_points": 600, "p_available_points": 600}'::jsonb),
  ('{"p_frozen_points": 600, "p_available_points": 400.0001}')
) as d (args);
select is(
  (
    select pg_temp.adjust(
      a.maker, '{"p_brokerage": 1000, "p_frozen_points": 1000, "p_available_points": -1000}'
    )::jsonb ->> 'state'
    from admins as a
  ),
  'booked', 'an adjustment up to the limits is booked at once'
);
select results_eq(
  'select b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned from m, pg_temp.balances(m.uid) as b',
  'values (1000.00, 0.00, 1000.0000, -1000.0000, 0.0000)', 'the balances change, but nothing counts as earned'
);
select results_eq(
  $$ select type, source, brokerage_delta, frozen_delta, available_delta, adjustment_id is not null from app.user_bill
  where uid = (select uid from m) $$,
  $$ values ('adjustment', 'adjustment', 1000.00, 1000.0000, -1000.0000, true) $$, 'an adjustment is one bill row'
);
select results_eq(
  $$ select function, to_value - 'uid' from app.admin_actions where target_type = 'adjustment' $$,
  $$ values (
    'create_adjustment',
    '{"kind": "correction", "state": "booked", "reason": "changed", "frozen_delta": 1000.0000, "available_delta": -1000.0000, "brokerage_delta": 1000.00}'::jsonb
  ) $$,
  'the action has the amounts, but not the reason'
);

select is((select pg_temp.adjust(a.maker, d.args) from admins as a), d.result, d.sentence)
from (values
  ('{"p_brokerage": 0}'::jsonb, 'PT422 invalid_argument', 'an adjustment changes at least one balance'),
  ('{"p_brokerage": 0.001}', 'PT422 invalid_argument', 'money has two decimals'),
  ('{"p_frozen_points": 0.00001}', 'PT422 invalid_argument', 'points have four decimals'),
  ('{"p_frozen_points": -1000.0001}', 'PT422 invalid_argument', 'frozen points never become negative'),
  ('{"p_brokerage": "NaN"}', 'PT422 invalid_argument', 'an amount is a number'),
  ('{"p_brokerage": 1, "p_reason": " "}', 'PT422 invalid_argument', 'a reason has visible characters'),
  (
    '{"p_brokerage": 1000.01}', 'PT409 second_administrator_needed',
    'above the limit of money, one administrator is not enough'
  ),
  (
    '{"p_available_points": -1000.0001}', 'PT409 second_administrator_needed',
    'above the limit of points, one administrator is not enough'
  ),
  (
    '{"p_frozen_points": 1000.0001, "p_available_points": 1}', 'PT409 second_administrator_needed',
    'the greater number of points counts'
  ),
  (
    '{"p_frozen_points": 1, "p_available_points": 1000.0001}', 'PT409 second_administrator_needed',
    'the greater number counts, whichever it is'
  )
) as d (args, result, sentence);

-- Neither a role without the area nor a banned account nor the member can be the second administrator.
create temporary table others as select 'service' as name, pg_temp.administrator() as id
  union all select 'banned', pg_temp.administrator();
update app.administrators as a set roles = '{service, content}' from others as o
where o.id = a.auth_id and o.name = 'service';
update auth.users as u set banned_until = now() + interval '1 day' from others as o
where o.id = u.id and o.name = 'banned';
select app.add_administrator((select u.auth_id::text from app.users as u, m where u.uid = m.uid));
select is(
  (select pg_temp.adjust(a.maker, '{"p_brokerage": 1000.01}') from admins as a), 'PT409 second_administrator_needed',
  'an administrator who may not approve does not count as the second one'
);
alter table admins add second uuid;
update admins set second = pg_temp.administrator();
update app.administrators as a set roles = '{finance}' from admins as o where o.second = a.auth_id;
create temporary table w as select (pg_temp.adjust(a.maker, '{"p_brokerage": -2500.50}')::jsonb ->> 'id')::bigint as id
  from admins as a;
select results_eq(
  'select a.state, a.decided_at is null from app.adjustments as a, w where a.id = w.id', $$ values ('waiting', true) $$,
  'with a second administrator, an adjustment above the limit waits'
);
select is(
  (select (pg_temp.balances(m.uid)).brokerage_price from m), 1000.00, 'a waiting adjustment changes no balance'
);
select is(
  (select pg_temp.call(a.maker, 'approve_adjustment', jsonb_build_object('p_id', w.id)) from admins as a, w),
  'PT409 second_administrator_needed', 'whoever made an adjustment cannot approve it'
);
select is(
  (
    select pg_temp.call(u.auth_id, 'approve_adjustment', jsonb_build_object('p_id', w.id)) from app.users as u, m, w
    where u.uid = m.uid
  ),
  'PT403 own_account', 'the member cannot approve it'
);
select is(
  (
    select pg_temp.call(u.auth_id, 'refuse_adjustment', jsonb_build_object('p_id', w.id)) from app.users as u, m, w
    where u.uid = m.uid
  ),
  'PT403 own_account', 'the member cannot refuse it'
);
select is(
  (
    select pg_temp.call(a.second, 'approve_adjustment', jsonb_build_object('p_id', w.id))::jsonb ->> 'state'
    from admins as a, w
  ),
  'booked',
  'the second administrator approves it, and it is booked'
);
select is(
  (
    select pg_temp.call(a.second, 'approve_adjustment', jsonb_build_object('p_id', w.id))::jsonb ->> 'state'
    from admins as a, w
  ),
  'booked',
  'a repeated approval is a no-op'
);
select results_eq(
  $$ select (pg_temp.balances(m.uid)).brokerage_price,
  (select count(*)::int from app.user_bill as b where b.adjustment_id = w.id)
  from m, w $$,
  'values (-1500.50, 1)', 'it is booked once, and the balance of commission may become negative'
);

select results_eq(
  $$ select x.from_value ->> 'state', x.to_value ->> 'state' from app.admin_actions as x, w
  where x.function = 'approve_adjustment' and x.target_id = w.id::text and x.from_value ? 'state' $$,
  $$ values ('waiting', 'booked') $$, 'the action of the approval has the state before and after'
);

select * from finish();
rollback;
