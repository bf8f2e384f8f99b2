-- Pages by id, the order in which withdrawals were requested.
-- Raises: forbidden, invalid_argument.
create or replace function api.export_withdrawals(p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_after record;
  v_result jsonb;
begin
  perform app.require_admin('money');
  v_after := app.line_position(p_cursor);
  select jsonb_build_object(
    'lines', coalesce(jsonb_agg(l.line order by l.id), '[]'),
    'next_cursor', case when count(*) = v_most then app.make_cursor(max(l.add_time), max(l.id)) end
  )
  into v_result
  from (
    select w.id, w.add_time, app.withdrawal_line(w, s.time_zone) as line
    from app.withdrawals as w cross join app.settings as s
    where w.id > v_after.id and w.add_time >= coalesce(p_from, '-infinity') and w.add_time < coalesce(p_to, 'infinity')
    order by w.id limit v_most
  ) as l;
  return v_result;
end
$$;

comment on function api.export_withdrawals is
  'Returns the next chunk of the withdrawals that were requested in a period, as lines of a CSV file. Serves GET /adminapi/export/withdrawals.';

grant execute on function api.export_withdrawals(timestamptz, timestamptz, text) to store_admin;
