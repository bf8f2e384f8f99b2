-- What clients may call about the tax of payouts.

-- Security invoker: reads with the rights of the caller.
create or replace function app.tax_certificate(p_uid bigint, p_year integer)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first constant date := app.month_start(coalesce(p_year, extract(year from app.month_of(now()))::integer) || '-01');
  v_next constant date := (v_first + interval '1 year')::date;
begin
  return jsonb_build_object(
    'uid', p_uid, 'year', extract(year from v_first), 'total', app.tax_sums(p_uid, v_first, v_next),
    'months', (
      select coalesce(jsonb_agg(
        jsonb_build_object('month', to_char(m.month, 'YYYY-MM'))
        || app.tax_sums(p_uid, m.month, (m.month + interval '1 month')::date)
        order by m.month
      ), '[]')
      from (
        select distinct t.month from app.tax_withholdings as t
        where t.uid = p_uid and t.month >= v_first and t.month < v_next
      ) as m
    )
  );
end
$$;

comment on function app.tax_certificate is
  'Returns the tax withheld of the payouts to a member in a calendar year (null: the present one), in all and by month '
  '(app.tax_sums).';

grant execute on function app.tax_certificate(bigint, integer) to authenticated, store_admin;

create or replace function api.get_tax(p_year integer default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.tax_certificate(app.require_uid(), p_year);
end
$$;

comment on function api.get_tax is
  'Returns the caller''s certificate of the tax withheld in a year (app.tax_certificate). Serves GET /api/tax.';

grant execute on function api.get_tax(integer) to authenticated, store_admin;

create or replace function app.tax_allowance_json(p_row app.tax_allowances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_row.id, 'month', to_char(p_row.month, 'YYYY-MM'), 'exempt_income', p_row.exempt_income::text,
    'other_deductions', p_row.other_deductions::text,
    'relief', p_row.relief::text, 'reason', p_row.reason, 'created_by', app.actor_json(p_row.created_by), 'add_time',
    app.utc(p_row.add_time)
  )
$$;

comment on function app.tax_allowance_json is 'Returns a tax allowance in the format of the API.';

grant execute on function app.tax_allowance_json(app.tax_allowances) to store_admin;

create or replace function api.admin_get_tax(p_uid bigint, p_year integer default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_certificate jsonb;
begin
  perform app.require_admin('money');
  perform app.require_user(p_uid);
  v_certificate := app.tax_certificate(p_uid, p_year);
  return v_certificate || jsonb_build_object(
    'years', (
      select coalesce(jsonb_agg(y.year order by y.year desc), '[]')
      from (
        select extract(year from t.month)::integer from app.tax_withholdings as t where t.uid = p_uid
        union
        select extract(year from a.month)::integer from app.tax_allowances as a where a.uid = p_uid
      ) as y (year)
    ),
    'allowances', (
      select coalesce(jsonb_agg(app.tax_allowance_json(a) order by a.id desc), '[]')
      from app.tax_allowances as a
      where a.uid = p_uid and extract(year from a.month) = (v_certificate ->> 'year')::integer
    )
  );
end
$$;

comment on function api.admin_get_tax is
  'Returns a member''s certificate of the tax withheld in a year, its allowances, and the years with rows, both newest '
  'first. Serves GET /adminapi/user/{uid}/tax.';

grant execute on function api.admin_get_tax(bigint, integer) to store_admin;

-- Locks: the balances of the member.
-- Not idempotent: each call adds a row.
create or replace function api.create_tax_allowance(
  p_uid bigint, p_month text, p_reason text, p_exempt_income numeric default null,
  p_other_deductions numeric default null, p_relief numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_allowance app.tax_allowances;
begin
  perform app.require_admin('money');
  perform app.reject_own_member(p_uid);
  v_allowance := app.allow_tax(
    p_uid, p_month, p_exempt_income, p_other_deductions, p_relief, p_reason, auth.uid(), null
  );
  perform app.record_action(
    'create_tax_allowance', 'member', p_uid::text, null,
    jsonb_build_object(
      'month', to_char(v_allowance.month, 'YYYY-MM'), 'exempt_income', v_allowance.exempt_income, 'other_deductions',
      v_allowance.other_deductions,
      'relief', v_allowance.relief, 'reason', v_allowance.reason
    ),
    array['month', 'exempt_income', 'other_deductions', 'relief']
  );
  return app.tax_allowance_json(v_allowance);
end
$$;

comment on function api.create_tax_allowance is
  'Records a tax allowance of a member in a month and returns it (app.allow_tax). Serves POST '
  '/adminapi/user/{uid}/tax.';

grant execute on function api.create_tax_allowance(bigint, text, text, numeric, numeric, numeric) to store_admin;

create or replace function app.quarter_start(p_quarter text)
returns date
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_quarter is null or p_quarter !~ '^2[0-9]{3}-Q[1-4]$' then
    perform app.fail(
      'invalid_argument', 'A quarter is written as 2026-Q4, between the years 2000 and 3000.', '/quarter'
    );
  end if;
  return make_date(left(p_quarter, 4)::integer, right(p_quarter, 1)::integer * 3 - 2, 1);
end
$$;

comment on function app.quarter_start is 'Returns the first day of a quarter that is written as YYYY-Qn.';

grant execute on function app.quarter_start(text) to store_admin;

create or replace function api.export_tax(p_quarter text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_first date;
  v_after record;
begin
  perform app.require_admin('money');
  v_first := app.quarter_start(p_quarter);
  v_after := app.line_position(p_cursor);
  return (
    select jsonb_build_object(
      'lines',
      coalesce(jsonb_agg(jsonb_build_object('quarter', p_quarter, 'uid', l.uid::text) || l.sums order by l.uid), '[]'),
      'next_cursor', case when count(*) = v_most then app.make_cursor('epoch', max(l.uid)) end
    )
    from (
      select t.uid, app.tax_sums(t.uid, v_first, (v_first + interval '3 months')::date) as sums
      from app.tax_withholdings as t
      where t.month >= v_first and t.month < v_first + interval '3 months' and t.uid > v_after.id
      group by t.uid order by t.uid limit v_most
    ) as l
  );
end
$$;

comment on function api.export_tax is
  'Returns the next chunk of income, deductions and tax of each member with tax withheld in a quarter (YYYY-Qn). Lines '
  'of a CSV file, by uid. Serves GET /adminapi/export/tax and GET /adminapi/export/tax/xlsx.';

grant execute on function api.export_tax(text, text) to store_admin;
