-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
grant store_api to postgres;
select plan(13);

-- What is decided in the first minute of a business day is not missed (app.reconcile_decided_alone).
select from app.set_settings('{"time_zone": "Asia/Kathmandu"}', now())
where app.business_day(now() - interval '5 minutes') < app.business_day(now() + interval '5 minutes');
select from app.set_settings('{"withdrawal_limit": 1000}', now());
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 3) as n;
select from m, pg_temp.earn(m.uid, 2);
create temporary table w as select m.n, pg_temp.withdraw(m.uid, 400) as id from m;
create temporary table admins as select pg_temp.administrator() as one, pg_temp.administrator() as two;
create temporary table o as
select c.id
from m, goods as g,
  app.create_order(m.uid, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)), now()) as c
where m.n = 1;
create function pg_temp.approve_as(p_by uuid, p_n integer) returns text language sql as $$
  select pg_temp.call(
    p_by, 'approve_withdrawal', jsonb_build_object('p_id', (select w.id from w where w.n = p_n))
  )::jsonb ->> 'state'
$$;
select is(pg_temp.approve_as(a.one, n), 'approved', 'an administrator approves alone')
from admins as a, generate_series(1, 2) as n;
select is(pg_temp.approve_as(a.one, 3), 'requested', 'the next one needs a second administrator') from admins as a;
select is(pg_temp.approve_as(a.two, 3), 'approved', 'who approves it') from admins as a;
select from admins as a, m, pg_temp.call(
  a.one, 'create_adjustment',
  jsonb_build_object('p_uid', m.uid, 'p_brokerage', -30, 'p_frozen_points', 5, 'p_reason', 'x')
)
where m.n = 1;
select from admins as a, o, pg_temp.call(a.one, 'pay_order_offline', jsonb_build_object('p_order_id', o.id));
delete from app.settlement_jobs;
select is_empty('select * from app.reconcile()', 'the sums have every decision');
select results_eq(
  $$ select d.kind, d.money, d.points
  from app.decided_alone as d join admins as a on a.one = d.auth_id order by d.kind $$,
  $$ select c.kind, sum(c.money), sum(c.points)
  from app.decisions_alone(now() - interval '1 day') as c join admins as a on a.one = c.auth_id
  group by c.kind order by c.kind $$,
  'the decisions that are found give the sums'
);

create function pg_temp.finds(p_damage text) returns text language plpgsql as $$
declare
  v_found text;
begin
  execute p_damage;
  select string_agg(r.check_name || ' ' || split_part(r.subject, ' ', 1), ', ' order by r.subject) into v_found
  from app.reconcile_decided_alone() as r;
  raise exception using errcode = 'PT000', message = coalesce(v_found, 'nothing');
exception when sqlstate 'PT000' then
  return sqlerrm;
end
$$;
select is(pg_temp.finds(d.damage), d.found, d.sentence) from (values
  (
    1, 'update app.decided_alone set money = 799.99 where kind = ''withdrawal'' and money > 0',
    'decided_alone_has_every_decision withdrawal', 'a sum of withdrawals that was lowered'
  ),
  (
    2, 'update app.decided_alone set points = 0 where kind = ''adjustment''',
    'decided_alone_has_every_decision adjustment', 'points that were taken off a sum'
  ),
  (
    3, 'update app.decided_alone set day = day - 1 where kind = ''offline_payment''',
    'decided_alone_has_every_decision offline_payment', 'a sum of another day'
  ),
  (
    4, 'delete from app.decided_alone where kind = ''adjustment''', 'decided_alone_has_every_decision adjustment',
    'a sum that is missing'
  ),
  (
    5, 'update app.decided_alone set money = money + 1 where kind = ''offline_payment''',
    'decided_alone_has_every_decision offline_payment', 'a sum that was raised'
  ),
  (
    6, 'update app.decided_alone set day = day + 1, money = 0, points = 0 where kind = ''adjustment''',
    'decided_alone_is_of_no_later_day adjustment', 'a sum of a day to come'
  ),
  (
    7, 'update app.decided_alone set limit_money = 799.99 where kind = ''withdrawal'' and money > 0',
    'nobody_decides_more_than_their_limit withdrawal', 'a sum above the limit to which it was held'
  )
) as d (n, damage, found, sentence) order by d.n;
select * from finish();
rollback;
