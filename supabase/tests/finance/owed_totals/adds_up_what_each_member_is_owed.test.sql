begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(5);

-- Balances around zero and around the least that releases something, commission that is more or less than the balance,
-- and changes of them an hour later.
select setseed(0.42);
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 60) as n;
update app.users as u set add_time = '2026-01-01Z' from m where m.uid = u.uid;
select from m, app.create_adjustment(
  m.uid, round((4 * random() - 2)::numeric, 2), round((random() / 2)::numeric, 4), round((random() - 0.5)::numeric, 4),
  'Test', null, '2026-01-02Z'
);
select
from m,
  app.create_adjustment(
    m.uid, round((2 * random() - 1)::numeric, 2), round((random() / 4)::numeric, 4), 0.0001, 'Test', null,
    '2026-01-02 01:00Z'
  )
where n % 3 > 0;
update app.user_balances as b set brokerage_price = 500 from m where m.uid = b.uid and m.n % 10 = 0;
select pg_temp.withdraw(m.uid, 100) from m where m.n % 10 = 0;
-- Some have left, some of them between the two changes.
update app.users as u set left_at = timestamptz '2026-01-02Z' + m.n % 2 * interval '45 minutes',
  left_position = nextval('app.positions'), auth_id = null
from m where m.uid = u.uid and m.n % 7 = 0;
-- Of orders that do not exist, so that there can be many.
alter table app.commission_maturities drop constraint commission_maturities_order_id_fkey;
insert into app.commission_maturities (order_id, uid, amount_left, matures_at)
select -m.n - k, m.uid, round((2 * random())::numeric, 2),
  case when random() < 0.7 then now() + (random() - 0.5) * interval '10 days' end
from m cross join generate_series(100, 200, 100) as k where m.n % 2 = 0;

-- The sums by member, as the glossary defines them.
create function pg_temp.added(p_at timestamptz, p_now timestamptz) returns setof record language sql as $$
  select
    sum(o.owed), coalesce(sum(o.withdrawable) filter (where o.withdrawable > 0), 0), sum(o.held_by_refunds),
    sum(o.maturing), sum(o.after_receipt), sum(o.reserved),
    coalesce(-sum(o.withdrawable) filter (where o.withdrawable < 0), 0) - coalesce(
      -sum(o.withdrawable + o.maturing) filter (where o.withdrawable + o.maturing < 0), 0
    ),
    coalesce(-sum(o.withdrawable + o.maturing) filter (where o.withdrawable + o.maturing < 0), 0),
    count(*) filter (where o.withdrawable < 0),
    sum(o.frozen), coalesce(sum(o.available) filter (where o.available > 0), 0),
    coalesce(-sum(o.available) filter (where o.available < 0), 0),
    count(*) filter (where o.available < 0), coalesce(sum(o.frozen) filter (where app.release_amount(o.frozen) > 0), 0),
    count(*) filter (where app.release_amount(o.frozen) > 0),
    count(*) filter (where greatest(o.left_commission, o.left_frozen, o.left_available) > 0), sum(o.left_commission),
    sum(o.left_frozen), sum(o.left_available)
  from app.owed_at(p_at, p_now) as o
$$;
create function pg_temp.differs(p_at timestamptz, p_now timestamptz) returns boolean language sql as $$
  select t is distinct from s
  from app.owed_totals(p_at, p_now) as t
  cross join pg_temp.added(p_at, p_now) as s (
    a numeric, b numeric, held numeric, c numeric, d numeric, e numeric, f numeric, g numeric, h bigint, i numeric,
    j numeric, k numeric, l bigint, m numeric, n bigint, o bigint, p numeric, q numeric, r numeric
  )
$$;

select ok(
  (
    select least(
      t.owed, t.withdrawable, t.maturing, t.after_receipt, t.reserved, t.debts_covered, t.debts_uncovered, t.debtors,
      t.available, t.negative, t.left_members, t.left_commission, t.left_frozen, t.left_available
    ) > 0
    from app.owed_totals(null, now()) as t
  ),
  'every part has an amount'
);
select ok(not pg_temp.differs(null, now()), 'what is owed now is the sum of what each member is owed');
select ok(not pg_temp.differs(null, now() + interval '3 days'), 'also when more of it has matured');
select ok(not pg_temp.differs('2026-01-02 00:30Z', now()), 'so is what was owed at an instant');
select ok(not pg_temp.differs('2026-01-01 12:00Z', now()), 'and what was owed before anybody had anything');

select * from finish();
rollback;
