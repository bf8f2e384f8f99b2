-- What clients may call about bills.

create or replace function api.admin_get_bill(
  p_uid bigint, p_type text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.bill_page(p_uid, p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$$;

comment on function api.admin_get_bill is
  'Returns one page of a member''s bill, newest first. Serves GET /adminapi/user/{uid}/bill.';

grant execute on function api.admin_get_bill(
  bigint, text, timestamptz, timestamptz, integer, integer, text
) to store_admin;

create or replace function api.get_bill_row(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row app.user_bill;
begin
  perform app.require_admin();
  v_row := app.bill_row(p_id);
  if v_row.id is null then
    perform app.fail('bill_row_not_found');
  end if;
  return app.admin_bill_json(v_row);
end
$$;

comment on function api.get_bill_row is
  'Returns one row of the bill (app.admin_bill_json). Serves GET /adminapi/bill/{id}.';

grant execute on function api.get_bill_row(bigint) to store_admin;

create or replace function api.get_bill_rows(
  p_uid bigint default null, p_type text default null, p_source text default null, p_balance text default 'brokerage',
  p_min_amount numeric default null, p_max_amount numeric default null, p_from timestamptz default null,
  p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null,
  p_earned_from timestamptz default null, p_earned_to timestamptz default null, p_agent_level smallint default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 100001;
  v_has_amount constant boolean := num_nonnulls(p_min_amount, p_max_amount) > 0;
  v_is_earned constant boolean := num_nonnulls(p_earned_from, p_earned_to) > 0;
  v_from constant timestamptz := greatest(p_from, p_earned_from);
  v_matching constant text := $sql$
    select b.* from given as g cross join lateral app.bill(g.%I, g.to_time) as b
    where (g.uid is null or b.uid = g.uid) and (g.type is null or b.type = g.type)
      and (g.source is null or b.source = g.source) and (g.has_releases or b.source <> 'release')
      and (
        g.least is null
        or abs(
          case g.balance
            when 'brokerage' then b.brokerage_delta
            when 'frozen_points' then b.frozen_delta
            else b.available_delta
          end
        ) between g.least and g.largest
      )
      and (not g.is_earned or b.order_id is not null and app.is_earned(b.type))
      and (
        g.agent_level is null
        or exists (select from app.users as u where u.uid = b.uid and u.agent_level = g.agent_level)
      )
  $sql$;
  v_position record;
  v_window record;
  v_since timestamptz;
  v_result jsonb;
begin
  perform app.require_admin();
  if p_balance is null or p_balance not in ('brokerage', 'frozen_points', 'available_points') then
    perform app.fail('invalid_argument', 'The balance is brokerage, frozen_points or available_points.');
  elsif least(p_min_amount, p_max_amount) < 0 then
    perform app.fail('invalid_argument', 'Amounts are searched for without their sign.');
  end if;
  v_window := app.bill_window(
    p_uid, p_agent_level, p_type, p_source, v_has_amount, p_balance, v_is_earned, v_from, least(p_to, p_earned_to),
    now()
  );
  v_position := app.list_position(p_page, p_limit, p_cursor);
  for v_since in
    select s.at from app.steps_back(v_window.from_time, least(v_window.to_time, v_position.add_time)) as s (at)
    where s.at = v_window.from_time or (p_uid is null and v_window.has_releases) order by s.at desc
  loop
    -- A plan for the filters of the call, which finds the index without releases.
    execute format($sql$
      with given as not materialized (
        select $4 as uid, $5 as type, $6 as source, $7 as has_releases, $8 as from_time, $9 as to_time, $10 as since,
          $11 as balance, $12 as least, $13 as largest, $14 as is_earned, $15 as agent_level, $16 as add_time, $17 as id
      )
      select app.log_json(
        jsonb_agg(app.admin_bill_json(l) order by l.add_time desc, l.id desc),
        (select count(*) from (select from (%s) as m limit $3) as c),
        array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), $2
      )
      from (
        select m.* from (%s) as m cross join given as g where (m.add_time, m.id) < (g.add_time, g.id)
        order by m.add_time desc, m.id desc offset $1 limit $2
      ) as l
    $sql$, format(v_matching, 'from_time'), format(v_matching, 'since'))
    into v_result
    using v_position.skip, p_limit, v_most, p_uid, p_type, p_source, v_window.has_releases, v_window.from_time,
      v_window.to_time, v_since, p_balance, case when v_has_amount then greatest(p_min_amount, 0.0001) end,
      coalesce(p_max_amount, 'infinity'), v_is_earned, p_agent_level, v_position.add_time, v_position.id;
    exit when v_result ->> 'next_cursor' is not null;
  end loop;
  return v_result
    || jsonb_build_object('searched_from', case when v_window.is_limited then app.utc(v_window.from_time) end);
end
$$;

comment on function api.get_bill_rows is
  'Returns one page of the bill of all members, newest first, for the time of app.bill_window. Amounts bound the '
  'change of p_balance. p_earned_from and p_earned_to choose what orders earned (app.sum_between). Rows are counted up '
  'to 100,001. Serves GET /adminapi/bill.';

grant execute on function api.get_bill_rows(
  bigint, text, text, text, numeric, numeric, timestamptz, timestamptz, integer, integer, text, timestamptz,
  timestamptz, smallint
) to store_admin;

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_bill(
  p_type text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.bill_page(app.require_uid(), p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$$;

comment on function api.get_bill is 'Returns one page of the caller''s bill, newest first. Serves GET /api/bill.';

grant execute on function api.get_bill(text, timestamptz, timestamptz, integer, integer, text) to authenticated,
  store_admin;
