-- Guarantee money/tax-sums
begin;
\ir ../support/fixture.psql
select plan(20);

-- Each line: a payout of a member, with its tax. The worked payouts of docs/money.md are run elsewhere; these are the
-- borders.
create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create sequence pg_temp.numbers;
create function pg_temp.pay(
  p_income numeric, p_at text, p_uid bigint default null
) returns numeric language plpgsql as $$
declare
  v_withdrawal app.withdrawals;
begin
  insert into app.withdrawals (withdrawal_no, uid, method, account_hint, amount, fee, add_time)
  select 'W' || lpad(nextval('pg_temp.numbers')::text, 8, '0'), coalesce(p_uid, m.uid), 'bank', '', p_income, 0,
    p_at::timestamptz
  from m returning * into v_withdrawal;
  update app.withdrawals as w set state = 'cancelled', ended_at = w.add_time where w.id = v_withdrawal.id;
  return app.withhold_tax(v_withdrawal, p_at::timestamptz);
end
$$;

select app.set_settings('{"tax_method": "cumulative"}', now());
select is(pg_temp.pay(10000, '2025-09-30T15:59:59Z'), 0.00, 'before the first table of a method, nothing is withheld');
select is_empty('select from app.tax_withholdings', 'nor recorded');
select is(
  pg_temp.pay(10000, '2025-09-30T16:00:00Z'), 90.00, 'from its first day on, in the time zone of the store, it is'
);
select is(
  pg_temp.pay(10000, '2025-10-31T15:59:59Z'), 240.00,
  'a second payout of the month gets no second deduction: (16000 - 5000) x 0.03 - 90'
);
select is(
  pg_temp.pay(10000, '2025-10-31T16:00:00Z'), 90.00, 'one of the next month does: (24000 - 10000) x 0.03 - 330'
);
select is(
  pg_temp.pay(10000, '2025-12-31T15:59:59Z'), 90.00,
  'the last second of the year belongs to it: (32000 - 15000) x 0.03 - 420'
);
select is(pg_temp.pay(10000, '2025-12-31T16:00:00Z'), 90.00, 'the next year begins anew: (8000 - 5000) x 0.03');
select is(pg_temp.pay(10000, '2026-02-28T16:00:00Z'), 90.00, 'and so does a row of months after a month without');
select is(pg_temp.pay(10000, '2026-02-28T16:00:00Z', other), 90.00, 'members are computed apart') from m;
select is(
  pg_temp.pay(47500, '2026-04-01T00:00:00Z'), 990.00, 'a bracket includes its end: (46000 - 10000) x 0.03 - 90'
);
select is(
  pg_temp.pay(1, '2026-04-02T00:00:00Z'), 0.08, 'and the next begins above it: (46000.8 - 10000) x 0.1 - 2520 - 1080'
);
-- The clock of the store decides, not that of the server.
update app.settings set time_zone = 'America/New_York';
select is(pg_temp.pay(10000, '2026-06-01T03:59:59Z', other), 90.00, 'a payout is in the month of the store') from m;
select is(
  (select t.month from app.tax_withholdings as t order by t.id desc limit 1), '2026-05-01', 'not in that of UTC'
);
update app.settings set time_zone = 'Asia/Shanghai';
select is(
  (select t.month from app.tax_withholdings as t order by t.id desc limit 1), '2026-05-01',
  'and stays there if the store moves'
);

-- Corrections lower what is due below what was withheld: nothing is paid back, and the next payouts make up for it.
create temporary table c as select pg_temp.sign_up() as uid;
select is(pg_temp.pay(20000, '2026-05-10T00:00:00Z', uid), 330.00, '(16000 - 5000) x 0.03') from c;
select from c, app.allow_tax(uid, '2026-05', 0, 6000, 0, 'Test', null, now());
select is(
  pg_temp.pay(1000, '2026-05-11T00:00:00Z', uid), 0.00,
  'what is due is less than what was withheld: (16800 - 5000 - 6000) x 0.03 = 174'
)
from c;
select is(pg_temp.pay(10000, '2026-05-12T00:00:00Z', uid), 84.00, 'until it is more: (24800 - 11000) x 0.03 - 330')
from c;
-- What could not be withheld is withheld later.
select is(
  (app.compute_tax(uid, 10000, 100, '2026-05-13T00:00:00Z')).tax, 100.00, 'at most what is left to pay is withheld'
)
from c;
select is((app.compute_tax(uid, 10000, -1, '2026-05-13T00:00:00Z')).tax, 0.00, 'and never less than nothing') from c;
select is((app.tax_sums(uid, '2026-05-01', '2026-06-01')) ->> 'tax', '414.00', 'what is only computed is not recorded')
from c;

select * from finish();
rollback;
