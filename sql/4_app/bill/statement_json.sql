-- Security invoker: reads with the rights of the caller.
-- Generic query plan: see app.bill_page.
-- Raises: invalid_argument, month_archived.
create or replace function app.statement_json(p_uid bigint, p_month text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_month text := coalesce(p_month, to_char(app.month_of(now()), 'YYYY-MM'));
  v_from timestamptz;
  v_to timestamptz;
begin
  select m.begins_at, m.ends_at into v_from, v_to from app.month_bounds(app.month_start(v_month)) as m;
  perform app.reject_archived_time('user_bill', v_from);
  return jsonb_build_object(
    'month', v_month, 'from', app.utc(v_from), 'to', app.utc(v_to),
    'opening', app.balances_until(p_uid, v_from), 'closing', app.balances_until(p_uid, v_to),
    'sums', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::text,
        'frozen_points', trim_scale(s.frozen), 'available_points', trim_scale(s.available)
      ) order by s.type, s.source), '[]')
      from (
        select
          b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen, sum(b.available_delta) as available
        from app.user_bill as b
        where b.uid = p_uid and b.add_time >= v_from and b.add_time < v_to
        group by b.type, b.source
      ) as s
    ),
    'months', (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(p_uid) as m (month)),
    'archived_until', app.utc(nullif(app.archived_until('user_bill'), '-infinity'))
  );
end
$$;

comment on function app.statement_json is
  'Returns the statement of a member for a business month: the balances at its beginning and end, the sums for each bill type and '
  'source, the months that have bill rows, and until when rows are archived. p_month is YYYY-MM; null is the present month.';

grant execute on function app.statement_json(bigint, text) to authenticated, store_admin;
