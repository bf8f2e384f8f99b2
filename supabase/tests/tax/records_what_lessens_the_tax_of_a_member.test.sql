begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(16);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.allow(p_args jsonb) returns text language sql as $$
  select pg_temp.call(
    admin.id, 'create_tax_allowance',
    jsonb_build_object('p_uid', m.uid, 'p_month', '2026-05', 'p_reason', 'Certificate 7') || p_args
  )
  from admin, m
$$;
select is(pg_temp.allow(c.args), 'PT422 invalid_argument', c.sentence) from (values
  ('{}'::jsonb, 'it needs an amount'),
  ('{"p_relief": 0}', 'that is not 0'),
  ('{"p_relief": 0.001}', 'with at most two decimals'),
  ('{"p_relief": 100000000.01}', 'that is not too large'),
  ('{"p_relief": 1, "p_month": "2026-13"}', 'a month'),
  ('{"p_relief": 1, "p_reason": " "}', 'and a reason'),
  ('{"p_relief": -1}', 'the sums of a month are not negative')
) as c (args, sentence);
select is(
  pg_temp.allow('{"p_uid": 999999999, "p_relief": 1}'), 'PT404 user_not_found', 'a member who does not exist has none'
);
select is(
  pg_temp.allow('{"p_exempt_income": 100, "p_relief": 5.5}')::jsonb - 'id' - 'created_by' - 'add_time',
  '{"month": "2026-05", "exempt_income": "100.00", "other_deductions": "0.00", "relief": "5.50", "reason": "Certificate 7"}',
  'the row is returned'
);
select is(
  pg_temp.allow('{"p_relief": -5.5, "p_reason": "Mistaken"}')::jsonb ->> 'relief', '-5.50',
  'a row with negative amounts corrects it'
);
select is(
  pg_temp.call(
    admin.id, 'admin_get_tax', jsonb_build_object('p_uid', m.uid, 'p_year', 2026)
  )::jsonb #> '{allowances, 0, reason}',
  '"Mistaken"', 'administrators see all rows, the newest first'
) from admin, m;
select is(
  jsonb_array_length(
    pg_temp.call(admin.id, 'admin_get_tax', jsonb_build_object('p_uid', m.uid, 'p_year', 2027))::jsonb -> 'allowances'
  ),
  0, 'of the year'
) from admin, m;
select is(
  pg_temp.call(admin.id, 'admin_get_tax', jsonb_build_object('p_uid', m.uid, 'p_year', 2027))::jsonb -> 'years',
  '[2026]', 'and learn which years have any'
) from admin, m;
select results_eq(
  $$ select a.target_type, a.to_value from app.admin_actions as a where a.function = 'create_tax_allowance'
  order by a.id limit 1 $$,
  $$ values (
    'member',
    '{"month": "2026-05", "exempt_income": 100.00, "other_deductions": 0.00, "relief": 5.50, "reason": "changed"}'::jsonb
  ) $$,
  'the log has the amounts, and of the reason only that there is one'
);
select is_empty($$ select from app.tax_withholdings $$, 'nothing is withheld by it');
select is(
  (select sum(t.exempt_income) from app.tax_allowances as t, m where t.uid = m.uid and t.month = '2026-05-01'), 100.00,
  'the sums count'
);
select * from finish();
rollback;
