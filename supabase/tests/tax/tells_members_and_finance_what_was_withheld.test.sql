begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
grant store_api to postgres;
select plan(20);

update app.settings set withdrawal_maximum = null;
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 3) as n;
select from m, app.create_adjustment(m.uid, 100000, 0, 0, 'Test', null, '2026-01-01Z');
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.pay(
  p_n integer, p_amount numeric, p_at timestamptz, p_end text default 'paid'
) returns bigint language sql as $$
  select (app.move_withdrawal(p, p_end, p_at, case p_end when 'failed' then 'No' end)).id
  from m cross join lateral app.request_withdrawal(m.uid, p_amount, 'bank', pg_temp.account(m.uid), p_at) as w
  cross join lateral app.move_withdrawal(w, 'approved', p_at) as a
  cross join lateral app.move_withdrawal(a, 'paying', p_at) as p
  where m.n = p_n
$$;
select app.set_settings('{"tax_method": "cumulative"}', now());
select pg_temp.pay(1, 10000, '2026-01-31T15:59:59Z'), pg_temp.pay(1, 20000, '2026-01-31T16:00:00Z'),
  pg_temp.pay(1, 5000, '2026-02-10Z', 'failed'), pg_temp.pay(1, 1000, '2026-04-10Z'),
  pg_temp.pay(2, 8000, '2026-03-31T15:59:59Z');

create function pg_temp.mine(p_year integer) returns jsonb language sql as $$ select pg_temp.read(
  m.uid, 'get_tax', jsonb_build_object('p_year', p_year)
)
  from m where n = 1 $$;
select is(pg_temp.mine(2026) -> 'total', '{"payouts": 3, "income": "31000.00", "expenses": "6200.00", "basic_deduction": "15000.00", "exempt_income": "0.00",
  "other_deductions": "0.00", "relief": "0.00", "tax": "420.00"}', 'a certificate has the sums of a year, without what failed');
select is(
  jsonb_path_query_array(pg_temp.mine(2026), '$.months[*].month'), '["2026-01", "2026-02", "2026-04"]', 'and its months'
);
select is(
  jsonb_path_query_array(pg_temp.mine(2026), '$.months[*].tax'), '["90.00", "330.00", "0.00"]', 'with the tax of each'
);
select is(pg_temp.mine(2025) -> 'months', '[]', 'a year without payouts has none');
select is(pg_temp.mine(2025) #>> '{total, tax}', '0.00', 'and no tax');
select is(
  pg_temp.mine(null) -> 'year', to_jsonb(extract(year from app.month_of(now()))), 'without a year, it is that of today'
);
select throws_ok($$ select pg_temp.mine(1999) $$, null, null, 'a year before 2000 is rejected');
select is(
  pg_temp.read(m.uid, 'get_tax', '{"p_year": 2026}') #>> '{total, tax}', '42.00', 'nobody sees the tax of others'
)
from m where n = 2;
select is(
  pg_temp.read(m.uid, 'get_statement', '{"p_month": "2026-02"}') -> 'tax' ->> 'tax', '330.00',
  'a statement has the tax of its month'
)
from m where n = 1;
select is(
  pg_temp.call(
    admin.id, 'admin_get_statement', jsonb_build_object('p_uid', m.uid, 'p_month', '2026-02')
  )::jsonb -> 'tax' ->> 'payouts',
  '1', 'also for administrators'
)
from admin, m where n = 1;

create function pg_temp.file(p_quarter text) returns jsonb language sql as $$ select pg_temp.call(
  admin.id, 'export_tax', jsonb_build_object('p_quarter', p_quarter)
)::jsonb
  from admin $$;
select is(
  jsonb_path_query_array(pg_temp.file('2026-Q1'), '$.lines[*].uid'),
  (select jsonb_agg(uid::text order by uid) from m where n < 3), 'the file of a quarter has its members'
);
select is(
  jsonb_path_query_array(pg_temp.file('2026-Q1'), '$.lines[*].income'), '["30000.00", "8000.00"]', 'their income'
);
select is(jsonb_path_query_array(pg_temp.file('2026-Q1'), '$.lines[*].tax'), '["420.00", "42.00"]', 'and their tax');
select is(
  jsonb_array_length(pg_temp.file('2026-Q2') -> 'lines'), 1, 'the next quarter begins in the time zone of the store'
);
select is(
  pg_temp.call(admin.id, 'export_tax', jsonb_build_object('p_quarter', q)), 'PT422 invalid_argument',
  format('%s is no quarter', coalesce(q, 'nothing'))
)
from admin, (values ('2026-Q5'), ('2026'), (null)) as v (q);

-- Liabilities, as of an instant.
select is(app.liabilities_json(p.at, now()) -> 'tax', p.tax, p.sentence) from (values
  (
    1, '2026-02-15Z'::timestamptz, '{"month": "2026-02", "withheld": "330.00", "withheld_last_month": "90.00"}'::jsonb,
    'finance sees what was withheld in the month and in the one before'
  ),
  (
    2, '2026-01-31T15:59:59Z', '{"month": "2026-01", "withheld": "0.00", "withheld_last_month": "0.00"}',
    'until an instant'
  )
) as p (n, at, tax, sentence) order by p.n;

-- The journal.
select is(
  (select sum((p.posting ->> 'amount')::numeric)
    from app.journal_payouts('2026-01-31T16:00:00Z', '2026-02-28T16:00:00Z', null, 10) as j
    cross join lateral jsonb_array_elements(j.entry -> 'postings') as p (posting)
    where p.posting ->> 'account' in ('withheld_tax', 'bank')),
      -20000.00,
  'the postings of a payout balance'
);
select * from finish();
rollback;
