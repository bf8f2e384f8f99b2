-- Raises: month_archived, forbidden, invalid_argument.
create or replace function api.export_bill(p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.bill_lines(null, p_from, p_to, p_cursor);
end
$$;

comment on function api.export_bill is
  'Returns the next chunk of the bill of all members as lines of a CSV file (app.bill_lines). Serves GET /adminapi/export/bill.';

grant execute on function api.export_bill(timestamptz, timestamptz, text) to store_admin;
