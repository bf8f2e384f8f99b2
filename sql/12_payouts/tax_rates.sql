-- The tables of the tax of payouts, as data. Each row applies from its date on and names its official text. A new text
-- is a new row with its date: rows that have applied stay as they are, because they explain what was withheld.

create or replace function app.tax_rules()
returns table (
  method text, valid_from date, expense_share numeric, flat_expenses numeric, flat_until numeric,
  monthly_deduction numeric, brackets text, official_text text
)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select r.method, r.valid_from::date, r.expense_share, r.flat_expenses, r.flat_until, r.monthly_deduction, r.brackets,
    r.official_text
  from (values
    (
      'cumulative', '2025-10-01', 0.2, 0, 0, 5000, 'comprehensive',
      '国家税务总局公告2025年第16号《关于互联网平台企业为平台内从业人员办理扣缴申报、代办申报若干事项的公告》; rates: 国家税务总局公告2018年第61号, 个人所得税预扣率表一'
    ),
    (
      'per_month', '2019-01-01', 0.2, 800, 4000, 0, 'labour',
      '国家税务总局公告2018年第61号《个人所得税扣缴申报管理办法（试行）》第八条; 个人所得税法实施条例 (2018) 第十四条: 同一项目连续性收入以一个月内取得的收入为一次; rates: 个人所得税预扣率表二'
    ),
    (
      'per_payment', '2019-01-01', 0.2, 800, 4000, 0, 'labour',
      '国家税务总局公告2018年第61号《个人所得税扣缴申报管理办法（试行）》第八条; rates: 个人所得税预扣率表二'
    )
  ) as r (method, valid_from, expense_share, flat_expenses, flat_until, monthly_deduction, brackets, official_text)
$$;

comment on function app.tax_rules is
  'Returns the versions of the methods of withholding. Deductible expenses are flat_expenses of an income up to '
  'flat_until, and expense_share of one above. monthly_deduction is for each month; brackets names the rates '
  '(app.tax_brackets).';

create or replace function app.tax_brackets()
returns table (brackets text, valid_from date, above numeric, rate numeric, quick_deduction numeric)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select b.brackets, b.valid_from::date, b.above, b.rate, b.quick_deduction
  from (values
    ('comprehensive', '2019-01-01', 0, 0.03, 0),
    ('comprehensive', '2019-01-01', 36000, 0.10, 2520),
    ('comprehensive', '2019-01-01', 144000, 0.20, 16920),
    ('comprehensive', '2019-01-01', 300000, 0.25, 31920),
    ('comprehensive', '2019-01-01', 420000, 0.30, 52920),
    ('comprehensive', '2019-01-01', 660000, 0.35, 85920),
    ('comprehensive', '2019-01-01', 960000, 0.45, 181920),
    ('labour', '2019-01-01', 0, 0.20, 0),
    ('labour', '2019-01-01', 20000, 0.30, 2000),
    ('labour', '2019-01-01', 50000, 0.40, 7000)
  ) as b (brackets, valid_from, above, rate, quick_deduction)
$$;

comment on function app.tax_brackets is
  'Returns the versions of the rates. The last bracket that the taxable amount is above gives the tax: rate x taxable '
  'less quick_deduction.';
