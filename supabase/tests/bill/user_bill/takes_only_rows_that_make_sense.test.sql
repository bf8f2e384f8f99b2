begin;
\ir ../../support/fixture.psql
select plan(27);

create temporary table m as select pg_temp.reporter() as a;
create temporary table w as
with added as (
  insert into app.withdrawals (withdrawal_no, uid, method, account_hint, amount, fee, add_time)
  select 'W00001', a, 'wechat', 'WeChat', 5, 0, now() from m returning id
)
select id from added;
create temporary table j as
with added as (
  insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at) select a, 5, 'Test', 'booked',
  now(), now()
  from m returning id
)
select id from added;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
-- Each row is one that the store writes, except for the named changes.
create function pg_temp.insert_changed(p_type text, p_changes jsonb) returns text language plpgsql as $$
declare v_constraint text; begin
  insert into app.user_bill
  select r.* from (
    select to_jsonb(l) || jsonb_build_object('id', nextval('app.user_bill_id_seq'))
      || replace(replace(p_changes::text, '"w"', w.id::text), '"j"', j.id::text)::jsonb as row
    from app.user_bill as l, o, w, j where l.order_id = o.id and l.type = p_type
  ) as x cross join lateral jsonb_populate_record(null::app.user_bill, x.row) as r;
  return 'taken';
exception when check_violation then
  get stacked diagnostics v_constraint = constraint_name;
  return v_constraint;
end $$;
select is(pg_temp.insert_changed(c.type, c.changes), c.result, format('%s %s: %s', c.type, c.changes, c.result))
from (values
  ('brokerage', '{}'::jsonb, 'taken'),
  ('brokerage', '{"brokerage_delta": -1}', 'brokerage_only_adds_money'),
  ('brokerage', '{"frozen_delta": 1}', 'brokerage_only_adds_money'),
  (
    'brokerage', '{"type": "brokerage_reversal", "brokerage_delta": -1, "reverses_id": 1, "source": "lottery"}',
    'source_is_known'
  ),
  ('brokerage', '{"order_id": null}', 'what_an_order_earned_names_the_order'),
  ('brokerage', '{"basis": null}', 'a_grant_states_basis_and_rate'),
  ('brokerage', '{"reverses_id": 1}', 'a_reversal_names_what_it_reverses'),
  ('brokerage', '{"type": "brokerage_reversal", "brokerage_delta": -1}', 'a_reversal_names_what_it_reverses'),
  ('frozen_points_brokerage', '{"frozen_delta": -1}', 'frozen_points_brokerage_only_adds_frozen_points'),
  (
    'frozen_points_brokerage',
    '{"type": "frozen_points_release", "source": "release", "order_id": null, "frozen_delta": -2, "available_delta": 1}',
    'frozen_points_release_moves_frozen_to_available'
  ),
  (
    'frozen_points_brokerage',
    '{"type": "frozen_points_release", "source": "release", "order_id": null, "frozen_delta": -2, "available_delta": 2}',
    'taken'
  ),
  (
    'frozen_points_brokerage', '{"type": "frozen_points_reversal", "reverses_id": 1, "frozen_delta": 1}',
    'frozen_points_reversal_only_takes_points'
  ),
  (
    'brokerage',
    '{"type": "opening_balance", "source": "import", "basis": null, "rate": null, "brokerage_delta": 5, "brokerage_after": 5, "frozen_after": 0, "available_after": 0, "order_id": null}',
    'taken'
  ),
  (
    'brokerage',
    '{"type": "opening_balance", "source": "import", "basis": null, "rate": null, "brokerage_delta": 5, "brokerage_after": 5, "frozen_after": 0, "available_after": 0}',
    'an_opening_balance_is_what_a_member_brought'
  ),
  ('brokerage', '{"source": "import"}', 'an_opening_balance_is_what_a_member_brought'),
  (
    'brokerage',
    '{"type": "withdrawal", "source": "withdrawal", "order_id": null, "brokerage_delta": -5, "basis": null, "rate": null, "withdrawal_id": "w"}',
    'taken'
  ),
  (
    'brokerage',
    '{"type": "withdrawal", "source": "withdrawal", "order_id": null, "brokerage_delta": 5, "withdrawal_id": "w"}',
    'a_withdrawal_moves_money_out_or_back'
  ),
  (
    'brokerage',
    '{"type": "withdrawal_returned", "source": "withdrawal", "order_id": null, "brokerage_delta": -5, "withdrawal_id": "w"}',
    'a_withdrawal_moves_money_out_or_back'
  ),
  (
    'brokerage',
    '{"type": "withdrawal_returned", "source": "withdrawal", "order_id": null, "brokerage_delta": 5, "withdrawal_id": "w"}',
    'taken'
  ),
  (
    'brokerage', '{"type": "withdrawal", "source": "withdrawal", "order_id": null, "brokerage_delta": -5}',
    'a_withdrawal_moves_money_out_or_back'
  ),
  ('brokerage', '{"withdrawal_id": "w"}', 'a_withdrawal_moves_money_out_or_back'),
  ('brokerage', '{"type": "points_spent", "source": "checkout", "brokerage_delta": 0, "available_delta": -5}', 'taken'),
  (
    'brokerage', '{"type": "points_spent", "source": "checkout", "brokerage_delta": 0, "available_delta": 5}',
    'points_pay_part_of_an_order_or_return'
  ),
  (
    'brokerage', '{"type": "points_returned", "source": "checkout", "brokerage_delta": 0, "available_delta": 5}',
    'taken'
  ),
  (
    'brokerage',
    '{"type": "points_spent", "source": "checkout", "order_id": null, "brokerage_delta": 0, "available_delta": -5}',
    'what_an_order_earned_names_the_order'
  ),
  ('brokerage', '{"type": "adjustment", "source": "adjustment", "order_id": null, "adjustment_id": "j"}', 'taken'),
  ('brokerage', '{"type": "adjustment", "source": "adjustment", "order_id": null}', 'an_adjustment_names_its_record')
) as c (type, changes, result);

select * from finish();
rollback;
