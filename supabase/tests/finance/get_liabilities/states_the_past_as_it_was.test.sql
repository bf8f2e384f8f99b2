begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(20);

select from app.create_plan('{"holding_days": 2}', null, '2026-01-01 00:00:00+08');
create temporary table m as select pg_temp.sign_up() as a;
create temporary table b as select pg_temp.sign_up(a::text) as b from m;
update app.users set add_time = '2026-01-01 00:00:00+08';
create temporary table step (day integer primary key, event text, liabilities jsonb);
create function pg_temp.noon(p_day integer) returns timestamptz language sql as $$ select (
  '2026-01-01 12:00:00+08'::timestamptz + (p_day - 1) * interval '1 day'
) $$;
-- What the store owes at midnight after a day, as it is known then.
create function pg_temp.record(p_day integer, p_event text) returns void language sql as $$
  insert into step select p_day, p_event, app.liabilities_json(null, pg_temp.noon(p_day) + interval '12 hours')
$$;
create temporary table o as select pg_temp.report(a, 1, pg_temp.noon(1)) as own from m;
select pg_temp.record(1, 'a member has an own order');
create temporary table sold as select pg_temp.report(b, 2, pg_temp.noon(2)) as id from b;
select pg_temp.record(2, 'commission waits for the receipt of its order');
select from sold, app.confirm_receipt(sold.id, pg_temp.noon(3));
select pg_temp.record(3, 'it matures in two days');
select pg_temp.record(5, 'it has matured');
create temporary table w as
select r.id
from m, lateral app.add_payout_account(m.a, 'alipay', 'Chen Jing', '13800000000', null, pg_temp.noon(6)) as p,
  lateral app.request_withdrawal(m.a, 1000, 'alipay', p.id, pg_temp.noon(6)) as r;
select pg_temp.record(6, 'a part of it is reserved');
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'approved', pg_temp.noon(7));
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'failed', pg_temp.noon(7), 'Test');
select pg_temp.record(7, 'the withdrawal has failed');
create temporary table again as select r.id
  from m, app.payout_accounts as p, lateral app.request_withdrawal(m.a, 1400, 'alipay', p.id, pg_temp.noon(8)) as r
  where p.uid = m.a;
select from again as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'approved', pg_temp.noon(9));
select from again as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'paid', pg_temp.noon(9));
select pg_temp.record(9, 'another one is paid');
create temporary table later as select pg_temp.report(b, 3, pg_temp.noon(10)) as id from b;
select pg_temp.record(10, 'more commission matures');
select from sold, app.refund_order(sold.id, null, null, pg_temp.noon(11));
select pg_temp.record(11, 'a refund makes a debt that maturing commission covers');
select
from later,
  app.refund_order(
    later.id,
    (
      select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 2)) from app.order_lines as l
      where l.order_id = later.id
    ),
    null, pg_temp.noon(12)
  );
select pg_temp.record(12, 'a refund takes a part of what is maturing');
select from b, app.create_adjustment(b.b, -50, 0, -3, 'Test', null, pg_temp.noon(13));
select pg_temp.record(13, 'an adjustment makes a debt that nothing covers, and points below zero');
select from later, app.confirm_receipt(later.id, pg_temp.noon(14));
select pg_temp.record(14, 'the rest is received');
select pg_temp.record(16, 'and has matured');

select is(
  app.liabilities_json(pg_temp.noon(s.day) + interval '12 hours', now()), s.liabilities,
  format('as of the end of day %s: %s', s.day, s.event)
)
from step as s order by s.day;

select is(
  (
    select array[l ->> 'owed', l ->> 'maturing', l ->> 'debts', l ->> 'debts_covered', l ->> 'debts_uncovered']
    from step as s, lateral (select s.liabilities as l) as t where s.day = 11
  ),
  array['1840.00', '3240.00', '1400.00', '1400.00', '0.00'],
  'maturing commission covers a debt of the same member before it is owed'
);
select is(
  (
    select array[l ->> 'owed', l ->> 'debts_covered', l ->> 'debts_uncovered', l #>> '{points,negative}',
      l #>> '{points,members_below_zero}']
    from step as s, lateral (select s.liabilities as l) as t where s.day = 13
  ),
  array['0.00', '1080.00', '370.00', '3', '1'], 'what it does not cover stands beside, and so do points below zero'
);
select is(
  (
    select (l ->> 'withdrawable')::numeric + (l ->> 'maturing')::numeric - (l ->> 'debts_covered')::numeric
      + (l ->> 'reserved')::numeric
    from app.liabilities_json(pg_temp.noon(11), now()) as l
  ),
  (app.liabilities_json(pg_temp.noon(11), now()) ->> 'owed')::numeric, 'the parts are what is owed'
);
create temporary table admin as select pg_temp.administrator() as id;
select is(
  (
    select sum((l ->> 'owed')::numeric)
    from jsonb_array_elements(
      pg_temp.call(
        (select id from admin), 'export_liabilities', jsonb_build_object('p_as_of', pg_temp.noon(11))
      )::jsonb -> 'lines'
    ) as l
  ),
  (app.liabilities_json(pg_temp.noon(11), now()) ->> 'owed')::numeric,
  'the lines of the file as of that time add up to it'
);
select is(
  (
    select l ->> 'as_of'
    from jsonb_array_elements(
      pg_temp.call(
        (select id from admin), 'export_liabilities', jsonb_build_object('p_as_of', pg_temp.noon(11))
      )::jsonb -> 'lines'
    ) as l
    limit 1
  ),
  '2026-01-11 12:00:00+08:00', 'a time in a file has its offset'
);
select is(
  pg_temp.call(
    (select id from admin), 'get_liabilities', jsonb_build_object('p_as_of', pg_temp.noon(12))
  )::jsonb ->> 'as_of',
  '2026-01-12T04:00:00.000Z', 'an administrator can ask for an instant'
);
select throws_ok(
  $$ select app.past_time(now() + interval '1 minute', now()) $$, 'PT422', 'invalid_argument',
  'but not for one that has not come'
);

select * from finish();
rollback;
