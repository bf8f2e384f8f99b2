-- What administrators may call about liabilities, and the files of the books.

create or replace function api.export_bill(
  p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null
)
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
  'Returns the next chunk of the bill of all members as lines of a CSV file (app.bill_lines). Serves GET '
  '/adminapi/export/bill and GET /adminapi/export/bill/xlsx.';

grant execute on function api.export_bill(timestamptz, timestamptz, text) to store_admin;

-- Pages by uid. The time in the cursor is that of the first chunk, so that all lines are as of the same time.
-- Security definer: client roles may not execute app.past_time and app.owed_at.
create or replace function api.export_liabilities(p_as_of timestamptz default null, p_cursor text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_after record;
  v_at timestamptz;
  v_to bigint;
begin
  perform app.require_admin('money');
  v_after := app.line_position(p_cursor);
  v_at := app.past_time(
    case when p_cursor is null then coalesce(p_as_of, clock_timestamp()) else v_after.add_time end, clock_timestamp()
  );
  v_to := (
    select max(c.uid)
    from (select b.uid from app.user_balances as b where b.uid > v_after.id order by b.uid limit v_most) as c
  );
  return (
    select jsonb_build_object(
      'lines', coalesce(jsonb_agg(l.line order by l.uid) filter (where l.line is not null), '[]'),
      'next_cursor',
      case when exists (select from app.user_balances as n where n.uid > v_to) then app.make_cursor(v_at, v_to) end
    )
    from (
      select o.uid, case when greatest(
        o.maturing, o.held_by_refunds, o.reserved, o.frozen, abs(o.withdrawable), abs(o.available), o.left_commission,
        o.left_frozen, o.left_available
      ) > 0 then jsonb_build_object(
        'as_of', app.local_time(v_at, s.time_zone), 'uid', o.uid::text, 'owed', o.owed::text, 'withdrawable',
        o.withdrawable::text, 'held_by_refunds', o.held_by_refunds::text,
        'maturing', o.maturing::text, 'after_receipt', o.after_receipt::text, 'next',
        app.business_day(o.next_maturity)::text,
        'reserved', o.reserved::text, 'frozen', trim_scale(o.frozen)::text, 'available', trim_scale(o.available)::text,
        'left_commission', o.left_commission::text,
        'left_frozen', trim_scale(o.left_frozen)::text, 'left_available', trim_scale(o.left_available)::text
      ) end as line
      from app.owed_at(v_at, v_at, v_after.id, v_to) as o cross join app.settings as s
    ) as l
  );
end
$$;

comment on function api.export_liabilities is
  'Returns the next chunk of what the store owed each member at p_as_of, by default now, as lines of a CSV file '
  '(app.owed_at), without members who had nothing. Serves GET /adminapi/export/liabilities and GET '
  '/adminapi/export/liabilities/xlsx.';

grant execute on function api.export_liabilities(timestamptz, text) to store_admin;

-- Pages by id, the order in which withdrawals were requested.
create or replace function api.export_withdrawals(
  p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null
)
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
  'Returns the next chunk of the withdrawals that were requested in a period, as lines of a CSV file. Serves GET '
  '/adminapi/export/withdrawals and GET /adminapi/export/withdrawals/xlsx.';

grant execute on function api.export_withdrawals(timestamptz, timestamptz, text) to store_admin;

-- Security definer: client roles may not execute app.liabilities_json.
create or replace function api.get_liabilities(p_as_of timestamptz default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.liabilities_json(app.past_time(p_as_of, clock_timestamp()), now());
end
$$;

comment on function api.get_liabilities is
  'Returns what the store owes its members, or owed them at p_as_of (app.liabilities_json). Serves GET '
  '/adminapi/liabilities.';

grant execute on function api.get_liabilities(timestamptz) to store_admin;

create or replace function api.export_journal(p_month text, p_part text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  if p_part is null or p_part not in ('opening', 'bill', 'payouts', 'closing') then
    perform app.fail('invalid_argument', 'A part of a journal is opening, bill, payouts or closing.', '/part');
  end if;
  return app.journal_chunk(p_month, p_part, p_cursor, 1000);
end
$$;

comment on function api.export_journal is
  'Returns the next chunk of the journal of a month in double entry (app.journal_chunk). Serves GET '
  '/adminapi/export/journal.';

grant execute on function api.export_journal(text, text, text) to store_admin;
