begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(14);

select from app.create_plan('{"holding_days": 2}', null, '2026-01-01 00:00:00+08');
create temporary table m as select pg_temp.sign_up() as a;
create temporary table b as select pg_temp.sign_up(a::text) as b from m;
update app.users set add_time = '2026-01-01 00:00:00+08';
create temporary table step (day integer primary key, event text, liabilities jsonb, accounts jsonb);
create function pg_temp.noon(p_day integer) returns timestamptz language sql as $$ select (
  '2026-01-01 12:00:00+08'::timestamptz + (p_day - 1) * interval '1 day'
) $$;
create function pg_temp.record(p_day integer, p_event text) returns void language sql as $$
  insert into step select p_day, p_event, app.liabilities_json(null, t.at),
    app.accounts_json(pg_temp.balances(m.a), t.at) -> 'commission' -> 'held_by_refunds'
  from m, (select pg_temp.noon(p_day) + interval '12 hours' as at) as t
$$;
select from m, pg_temp.report(a, 1, pg_temp.noon(1));
create temporary table o as select pg_temp.report(b, 2, pg_temp.noon(2)) as id from b;
select from o, app.confirm_receipt(o.id, pg_temp.noon(3));
select from o, app.request_refund(o.id, null, '', pg_temp.noon(4));
select pg_temp.record(4, 'a request for an order whose commission is maturing');
select pg_temp.record(5, 'which has matured');
select from o, app.refuse_refund(o.id, pg_temp.noon(6));
select pg_temp.record(6, 'the request is refused');
select
from o,
  app.request_refund(
    o.id,
    (
      select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
      where l.order_id = o.id
    ),
    '', pg_temp.noon(7)
  );
select pg_temp.record(7, 'another one for one of two units holds all of it');
select from o, app.refund_order(o.id, null, null, pg_temp.noon(8));
select pg_temp.record(8, 'which is granted');

select is(
  app.liabilities_json(pg_temp.noon(s.day) + interval '12 hours', now()), s.liabilities,
  format('as of the end of day %s: %s', s.day, s.event)
)
from step as s order by s.day;
select is(
  app.accounts_json(app.balances_at(m.a, t.at), now(), t.at) -> 'commission' -> 'held_by_refunds', s.accounts,
  format('and on the page of the member: %s', s.event)
) from m, step as s, lateral (select pg_temp.noon(s.day) + interval '12 hours' as at) as t order by s.day;
select is(
  (select array_agg(s.liabilities ->> 'held_by_refunds' order by s.day) from step as s),
  '{0.00,1440.00,0.00,1440.00,0.00}', 'held is what has matured while a request is open'
);

-- In a store of the first version of the rules, nothing was held until the update.
update app.rule_versions set position = 1, in_force_since = pg_temp.noon(7) + interval '13 hours' where version = 2;
select is(
  array[l ->> 'withdrawable', l ->> 'held_by_refunds'], '{1440.00,0.00}',
  'before the update, the same request held nothing'
)
from app.liabilities_json(pg_temp.noon(7) + interval '12 hours', now()) as l;
select is(l ->> 'held_by_refunds', '1440.00', 'from then on it holds')
from app.liabilities_json(pg_temp.noon(7) + interval '13 hours', now()) as l;
select is(
  (select sum(w.held_by_refunds) from app.owed_at(pg_temp.noon(7) + interval '13 hours', now()) as w), 1440.00,
  'the lines of the file say the same'
);

select * from finish();
rollback;
