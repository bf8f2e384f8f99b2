-- Guarantee money/withdrawal-held
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(27);

-- Three members with 720.00 each, who ask for it; then the order of the first two is asked back.
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 3) as n;
alter table m add order_id bigint, add w bigint;
update m set order_id = pg_temp.earn(uid);
update m set w = pg_temp.withdraw(uid, case n when 2 then 500 else 720 end);
select from m, app.request_refund(m.order_id, null, '', now()) where n < 3;
create temporary table admin as select pg_temp.administrator() as id, pg_temp.administrator() as other;
create function pg_temp.approve_as(p_n integer, p_held text default null) returns text language sql as $$
  select t.answer from admin, m, lateral (
    select pg_temp.call(
      admin.id, 'approve_withdrawal',
      jsonb_build_object('p_id', m.w) || coalesce(jsonb_build_object('p_held_by_refunds', p_held), '{}')
    ) as answer
  ) as t where m.n = p_n
$$;
create function pg_temp.page(p_n integer) returns jsonb language sql as $$
  select pg_temp.call(admin.id, 'admin_get_withdrawal', jsonb_build_object('p_id', m.w))::jsonb from admin, m
  where m.n = p_n
$$;
create function pg_temp.states() returns text language sql as $$ select string_agg(l.state, ' ' order by m.n) from m
  join app.withdrawals as l on l.id = m.w $$;

select is(pg_temp.page(1) ->> 'held_by_refunds', '720.00', 'the review says how much of the withdrawal is asked back');
select is(pg_temp.page(1) -> 'held_orders' -> 0 ->> 'order_id', order_id::text, 'and for which order') from m
where n = 1;
select is(pg_temp.page(2) ->> 'held_by_refunds', '500.00', 'what is left of the balance covers the rest');
select is((app.commission_parts(uid, now())).held_by_refunds, 220.00, 'and is held itself') from m where n = 2;
select is((pg_temp.page(3) -> 'held_by_refunds')::text, 'null', 'nothing is held of a withdrawal of other orders');
select is(pg_temp.page(3) -> 'held_orders', '[]', 'and no order is named');
select is((pg_temp.page(1) -> 'debt')::text, 'null', 'what is held is no debt');

select is(pg_temp.approve_as(1), 'PT409 held_by_refunds', 'it is not approved by accident');
select is(pg_temp.approve_as(1, '719.99'), 'PT409 held_by_refunds', 'nor with another amount');
select is(pg_temp.states(), 'requested requested requested', 'and stays as it is');
select is(
  pg_temp.call(
    admin.id, 'approve_withdrawals', jsonb_build_object('p_ids', (select jsonb_agg(w order by n) from m))
  )::jsonb #> '{lines}' @? '$[*] ? (@.problem == "held_by_refunds" && @.result == "rejected")',
  true, 'several at once: those that are held are rejected'
) from admin;
select is(pg_temp.states(), 'requested requested approved', 'and the others approved');
select throws_like(
  $$ select app.approve_withdrawal(app.lock_withdrawal(w), now()) from m
  where n = 2 $$, 'held_by_refunds', 'whoever calls'
);
select isnt(pg_temp.approve_as(1, '720.00'), 'PT409 held_by_refunds', 'whoever repeats the amount approves it');
select isnt(pg_temp.approve_as(2, '500'), 'PT409 held_by_refunds', 'also without decimals');
select is(pg_temp.states(), 'approved approved approved', 'then it is approved');
select is((select held_accepted from app.withdrawals where id = w), 720.00, 'and says what was accepted') from m
where n = 1;

select is(
  pg_temp.attempt('none', format($$ select (app.move_withdrawal(app.lock_withdrawal(%s), 'paid', now())).state $$, w)),
  'PT409 held_by_refunds', 'each further step asks again: paid'
)
from m where n = 1;
select is(
  pg_temp.attempt(
    'none', format($$ select (app.move_withdrawal(app.lock_withdrawal(%s), 'paying', now())).state $$, w)
  ),
  'PT409 held_by_refunds', 'paying'
)
from m where n = 1;
select is(
  pg_temp.attempt('none', $$ select (app.create_withdrawal_batch('bank', null, null, null, now())).id $$),
  'PT409 held_by_refunds', 'a batch'
) ;
create function pg_temp.detail(p_sql text) returns text language plpgsql as $$
declare v_detail text;
begin
  execute p_sql;
  return null;
exception when others then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end
$$;
select is(
  pg_temp.detail($$ select (app.create_withdrawal_batch('bank', null, null, null, now(), 720)).id $$),
  (
    select format(
      'Open refund requests hold 1220.00: %s.',
      string_agg(format('%s (%s)', l.withdrawal_no, l.amount), ', ' order by l.id)
    )
    from m join app.withdrawals as l on l.id = m.w where n < 3
  ),
  'which names the withdrawals and the sum'
);
select is(
  (app.create_withdrawal_batch('bank', null, null, null, now(), null, true)).withdrawals, 1,
  'a batch of the others is made'
);
select is(
  pg_temp.attempt('none', $$ select (app.create_withdrawal_batch('bank', null, null, null, now(), null, true)).id $$),
  'PT409 withdrawal_state_conflict', 'but none of nothing'
);
select is(
  (app.create_withdrawal_batch('bank', null, null, null, now(), 1220)).withdrawals, 2,
  'one of all, if the sum is repeated'
);
select is((app.move_withdrawal(app.lock_withdrawal(w), 'paid', now())).state, 'paid', 'from paying on nothing is asked')
from m where n = 1;
select is((pg_temp.page(1) -> 'held_by_refunds')::text, 'null', 'and nothing is shown');
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
