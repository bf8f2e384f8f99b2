-- Pages by uid. The time in the cursor is that of the first chunk, so that all lines are as of the same time.
-- Raises: forbidden, invalid_argument.
create or replace function api.export_liabilities(p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_after record;
  v_as_of timestamptz;
  v_result jsonb;
begin
  perform app.require_admin('money');
  v_after := app.line_position(p_cursor);
  v_as_of := case when p_cursor is null then now() else v_after.add_time end;
  select jsonb_build_object(
    'lines', coalesce(jsonb_agg(l.line order by l.uid), '[]'),
    'next_cursor', case when count(*) = v_most then app.make_cursor(v_as_of, max(l.uid)) end
  )
  into v_result
  from (
    select b.uid, jsonb_build_object(
      'as_of', to_char(v_as_of at time zone s.time_zone, 'YYYY-MM-DD HH24:MI:SS'), 'uid', b.uid::text,
      'owed', (greatest(b.brokerage_price - m.amount, 0) + m.amount + w.amount)::text, 'withdrawable', (b.brokerage_price - m.amount)::text,
      'maturing', m.amount::text, 'after_receipt', m.after_receipt::text, 'next', app.business_day(m.next)::text, 'reserved', w.amount::text,
      'frozen', trim_scale(b.frozen_points)::text, 'available', trim_scale(b.available_points)::text
    ) as line
    from app.settings as s cross join app.user_balances as b
    cross join lateral (
      select coalesce(sum(g.amount_left), 0.00) as amount, coalesce(sum(g.amount_left) filter (where g.matures_at is null), 0.00) as after_receipt,
        min(g.matures_at) filter (where g.amount_left > 0) as next
      from app.maturing(b.uid, v_as_of) as g
    ) as m
    cross join lateral (select coalesce(sum(r.amount), 0.00) as amount from app.withdrawals as r where r.uid = b.uid and r.ended_at is null) as w
    where b.uid > v_after.id and (b.brokerage_price <> 0 or b.frozen_points <> 0 or b.available_points <> 0 or m.amount <> 0 or w.amount <> 0)
    order by b.uid limit v_most
  ) as l;
  return v_result;
end
$$;

comment on function api.export_liabilities is
  'Returns the next chunk of what the store owes each member, as lines of a CSV file: the parts of app.liabilities_json by member, without '
  'members who have neither commission nor points. Serves GET /adminapi/export/liabilities.';

grant execute on function api.export_liabilities(text) to store_admin;
