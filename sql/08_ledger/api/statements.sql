-- What clients may call about statements, which state the tax of payouts, too.

create or replace function api.admin_get_statement_lines(p_uid bigint, p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.statement_lines(p_uid, p_month, p_cursor);
end
$$;

comment on function api.admin_get_statement_lines is
  'Returns the next chunk of a member''s bill of a business month (app.bill_lines). Serves GET '
  '/adminapi/user/{uid}/statement/csv.';

grant execute on function api.admin_get_statement_lines(bigint, text, text) to store_admin;

create or replace function api.get_statement_lines(p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_lines(app.require_uid(), p_month, p_cursor);
end
$$;

comment on function api.get_statement_lines is
  'Returns the next chunk of the caller''s bill of a business month (app.bill_lines). Serves GET /api/statement/csv.';

grant execute on function api.get_statement_lines(text, text) to authenticated, store_admin;

-- Security invoker: reads with the rights of the caller.
create or replace function app.statement_with_tax(p_uid bigint, p_month text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.statement || jsonb_build_object('tax', (
    select app.tax_sums(p_uid, m.month, (m.month + interval '1 month')::date)
    from app.month_start(s.statement ->> 'month') as m (month)
  ))
  from app.statement_json(p_uid, p_month) as s (statement)
$$;

comment on function app.statement_with_tax is
  'Returns the statement of a member (app.statement_json) with the tax of the payouts of its month (app.tax_sums).';

grant execute on function app.statement_with_tax(bigint, text) to authenticated, store_admin;

create or replace function api.admin_get_statement(p_uid bigint, p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.statement_with_tax(p_uid, p_month);
end
$$;

comment on function api.admin_get_statement is
  'Returns a member''s statement of a business month (app.statement_with_tax). Serves GET '
  '/adminapi/user/{uid}/statement.';

grant execute on function api.admin_get_statement(bigint, text) to store_admin;

create or replace function api.get_statement(p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_with_tax(app.require_uid(), p_month);
end
$$;

comment on function api.get_statement is
  'Returns the caller''s statement of a business month (app.statement_with_tax). Serves GET /api/statement.';

grant execute on function api.get_statement(text) to authenticated, store_admin;
