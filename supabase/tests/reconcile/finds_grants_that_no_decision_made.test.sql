-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
select plan(19);

-- top (grade 2) above middle (grade 1) above a buyer; an outsider without any order.
create temporary table m as select pg_temp.grade(pg_temp.reporter(), 2) as top;
alter table m add middle bigint, add buyer bigint, add outsider bigint;
update m set middle = pg_temp.grade(pg_temp.reporter(top), 1), outsider = pg_temp.sign_up();
update m set buyer = pg_temp.sign_up(middle::text);
create temporary table o as select pg_temp.report((select buyer from m), 2) as id,
  pg_temp.buy((select buyer from m)) as waiting;
alter table o add unpaid bigint;
update o set unpaid = (
  app.create_order(
    (select buyer from m),
    (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
  )
).id;
\ir ../support/forgery.psql
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select k.* from known as k
  where k.subject in (
    select format('uid %s', x) from m, unnest(array[top, middle, buyer, outsider]) as x
    union select format('order %s', x) from o, unnest(array[id, waiting, unpaid]) as x
  ) $$,
  'before the damage, there are no findings'
);
select is(
  (app.explain_order(id)) -> 'matches_the_books', 'true'::jsonb, 'the decision of the order matches what was booked'
)
from o;

create function pg_temp.again(p_source text, p_change text default '{}') returns void language sql as $$
  select pg_temp.book(
    l.uid, l.type, l.source, l.brokerage_delta, l.frozen_delta, l.available_delta, l.order_id, l.basis, l.rate,
    l.agent_level, l.passed_on, null, l.add_time
  )
  from o, app.user_bill as g, jsonb_populate_record(g, p_change::jsonb) as l
  where g.order_id = o.id and g.source = p_source
$$;
-- As far as a settlement depends on them, the earner and what follows is made up.
create function pg_temp.earn(p_uid bigint, p_since text) returns void language sql as $$
  update app.settlements as s set earner_uid = p_uid, eligible_since = p_since::timestamptz
  where s.order_id = (select id from o);
$$;

select matches(pg_temp.found(d.forgery), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  ('select pg_temp.again(''direct'')', 'order_grants_each_kind_once', 'the same points booked twice'),
  ('select pg_temp.again(''cycle'')', 'order_grants_each_kind_once', 'the same commission booked twice'),
  (
    'select pg_temp.again(''direct'', ''{"add_time": "2026-02-03T00:00:00Z"}'')', 'grant_has_its_settlement',
    'points booked at another time than the settlement'
  ),
  (
    'select pg_temp.again(''direct'', format(''{"order_id": %s}'', o.waiting)) from o', 'grant_has_its_settlement',
    'points for an order that is not settled'
  ),
  (
    'select pg_temp.again(''cycle'', format(''{"order_id": %s}'', o.unpaid)) from o', 'grant_has_its_settlement',
    'a commission for an order that is not paid'
  ),
  (
    'select pg_temp.again(''cycle'', format(''{"uid": %s}'', m.outsider)) from m', 'grant_has_its_settlement',
    'a commission for somebody who is not the earner'
  ),
  (
    'update app.user_bill set agent_level = 1 where source = ''umbrella'' and order_id = (select id from o)',
    'decision_equals_what_was_booked', 'points that state another grade than they were decided by'
  ),
  (
    'update app.user_bill set passed_on = 7 where source = ''umbrella'' and order_id = (select id from o)',
    'decision_equals_what_was_booked', 'points that state something else passed on'
  ),
  (
    'select pg_temp.earn(m.outsider, ''2020-01-01'') from m', 'earner_had_a_reported_order',
    'an earner who never ordered anything'
  ),
  (
    'select pg_temp.earn(m.middle, ''2020-01-01'') from m', 'earner_had_a_reported_order',
    'an earner whose order was paid at another time'
  ),
  (
    'update app.settlements set base = 9999 where order_id = (select id from o)', 'settlement_equals_its_order',
    'a settlement over another base than the order has'
  ),
  (
    'update app.settlements set uid = (select outsider from m) where order_id = (select id from o)',
    'settlement_equals_its_order', 'a settlement that names another buyer'
  ),
  (
    'update app.orders set below_minimum = true where id = (select id from o)', 'minimum_base_equals_plan',
    'an order marked as below the minimum of its plan'
  ),
  (
    'insert into app.settlements select (jsonb_populate_record(s, jsonb_build_object(''order_id'', o.unpaid, ''place'', 3))).* from o join app.settlements as s on s.order_id = o.id',
    'settlement_equals_its_order', 'a settlement of an order that is not paid'
  )
) as d (forgery, check_name, sentence);

-- The explanation of the order itself says that it does not match.
create function pg_temp.matches_after(p_forgery text) returns jsonb language plpgsql as $$
declare v_matches jsonb; begin
  begin
    execute p_forgery;
    v_matches := app.explain_order((select id from o)) -> 'matches_the_books';
    raise exception using errcode = 'PV000', message = 'undo';
  exception when sqlstate 'PV000' then
    return v_matches;
  end;
end $$;
select is(pg_temp.matches_after(d.forgery), 'false'::jsonb, d.sentence) from (values
  ('select pg_temp.again(''direct'')', 'the explanation sees points that were booked twice'),
  (
    'update app.user_bill set agent_level = 1 where source = ''umbrella'' and order_id = (select id from o)',
    'the explanation sees another grade'
  ),
  ('select pg_temp.earn(m.middle, ''2020-01-01'') from m', 'the explanation sees an earner who could not earn yet')
) as d (forgery, sentence);

select * from finish();
rollback;
