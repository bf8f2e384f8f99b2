-- Reading the bill: lines, pages, sums and statements.

create or replace function app.bill_json(p_row app.user_bill)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'type', p_row.type, 'source', p_row.source,
    'brokerage', p_row.brokerage_delta::pg_catalog.text, 'frozen_points', pg_catalog.trim_scale(p_row.frozen_delta),
    'available_points', pg_catalog.trim_scale(p_row.available_delta), 'brokerage_after',
    p_row.brokerage_after::pg_catalog.text,
    'frozen_points_after', pg_catalog.trim_scale(p_row.frozen_after), 'available_points_after',
    pg_catalog.trim_scale(p_row.available_after),
    'order_id', p_row.order_id, 'basis', pg_catalog.trim_scale(p_row.basis), 'rate', pg_catalog.trim_scale(p_row.rate),
    'agent_level', p_row.agent_level, 'passed_on', pg_catalog.trim_scale(p_row.passed_on), 'reverses_id',
    p_row.reverses_id,
    'withdrawal_id', p_row.withdrawal_id, 'adjustment_id', p_row.adjustment_id,
    'add_time', app.utc(p_row.add_time)
  )
$$;

comment on function app.bill_json is 'Returns a bill row in the format of the API.';

grant execute on function app.bill_json(app.user_bill) to authenticated, store_admin;

-- Security invoker: reads with the rights of the caller.
-- Generic query plan: choosing partitions anew for every call would take longer than reading them.
create or replace function app.bill_page(
  p_uid bigint, p_type text, p_from timestamptz, p_to timestamptz, p_page integer, p_limit integer, p_cursor text
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- A query plan that was cached while a month was empty would later read all of its rows.
set enable_seqscan = off
as $$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_to timestamptz := coalesce(p_to, 'infinity');
begin
  return (
    with matching as not materialized (
      select b.* from app.bill(v_from, v_to) as b where b.uid = p_uid and (p_type is null or b.type = p_type)
    )
    select app.log_json(
      jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), p_limit
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < (v_position.add_time, v_position.id)
      order by m.add_time desc, m.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function app.bill_page is 'Returns one page of a member''s bill, newest first: {list, count, next_cursor}.';

grant execute on function app.bill_page(
  bigint, text, timestamptz, timestamptz, integer, integer, text
) to authenticated,
  store_admin;

-- A reversal names the order of what it reverses.
create or replace function app.admin_bill_json(p_row app.user_bill)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.bill_json(p_row) || jsonb_build_object(
    'nickname', (select u.nickname from app.users as u where u.uid = p_row.uid),
    'reversed_by', (
      select coalesce(jsonb_agg(r.id order by r.id), '[]')
      from app.bill(p_row.add_time, 'infinity') as r
      where p_row.order_id is not null and r.order_id = p_row.order_id and r.reverses_id = p_row.id
    )
  )
$$;

comment on function app.admin_bill_json is
  'Returns app.bill_json of a bill row with the nickname of the member and the ids of the rows that reverse it.';

grant execute on function app.admin_bill_json(app.user_bill) to store_admin;

-- Reads the table, and without their rows the runs of the month whose releases have such ids.
-- Generic query plan: see app.bill_page.
create or replace function app.bill_row(p_id bigint)
returns app.user_bill
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- A query plan that was cached while the bill was empty would later read all rows.
set enable_seqscan = off
as $$
begin
  return coalesce((select b from app.user_bill as b where b.id = p_id), (
    select b
    from app.compacted_months as m
    join app.compacted_releases as c
      on c.first_time >= m.month::timestamp at time zone 'UTC'
        and c.first_time < (m.month + interval '1 month') at time zone 'UTC'
    cross join lateral app.bill_of_run(c) as b
    where p_id between m.first_bill_id and m.last_bill_id and app.is_in_run(c, p_id) and b.id = p_id
  ));
end
$$;

comment on function app.bill_row is 'Returns the bill row with this id; null if there is none.';

grant execute on function app.bill_row(bigint) to store_admin;

create or replace function app.most_source_days()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 93
$$;

comment on function app.most_source_days is
  'Returns the most days of a report of products, levels or members, and of the bill rows behind one.';

grant execute on function app.most_source_days() to store_admin;

-- A release changes no commission and is not earned. The releases of a day, one for each member, can be as many as all
-- other rows of a month.
create or replace function app.bill_window(
  p_uid bigint, p_agent_level smallint, p_type text, p_source text, p_has_amount boolean, p_balance text,
  p_is_earned boolean, p_from timestamptz, p_to timestamptz,
  p_now timestamptz,
  out from_time timestamptz, out to_time timestamptz, out has_releases boolean, out is_limited boolean
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_days integer;
begin
  has_releases := coalesce(p_type, 'frozen_points_release') = 'frozen_points_release'
  and coalesce(p_source, 'release') = 'release'
    and not p_is_earned and not (p_has_amount and p_balance = 'brokerage');
  v_days := case
    when p_uid is not null then null
    when p_is_earned then app.most_source_days()
    when p_has_amount and has_releases then 1
    when p_has_amount or num_nonnulls(p_type, p_source, p_agent_level) > 0 then 31
  end;
  from_time := coalesce(p_from, '-infinity');
  to_time := coalesce(p_to, 'infinity');
  is_limited := p_from is null and v_days is not null;
  if is_limited then
    from_time := least(to_time, p_now) - v_days * interval '24 hours';
  -- An hour more, for the days on which clocks change.
  elsif least(to_time, p_now) > from_time + v_days * interval '24 hours' + interval '1 hour' then
    perform app.fail('invalid_argument', case v_days
      when 1
        then 'Amounts of points are searched for within a day at a time, or with a member or a type other than the daily release.'
      when 31 then 'Types, sources, levels and amounts are searched for within 31 days at a time, or with a member.'
      else format('What orders earned is searched for within %s days at a time, or with a member.', v_days)
    end);
  end if;
end
$$;

comment on function app.bill_window is
  'Returns the period in which rows of the whole bill are searched for, and whether releases can be among them. '
  'Without a member, it has at most 93 days for what orders earned, and 31 for a type, source, level or amount. If '
  'releases can have the amount, it is one day. is_limited: without p_from, it is the last of these days. Raises '
  'invalid_argument for a longer one.';

grant execute on function app.bill_window(
  bigint, smallint, text, text, boolean, text, boolean, timestamptz, timestamptz, timestamptz
) to store_admin;

-- An opening balance is always the first row of its member, and in the table, because only releases can stand
-- elsewhere.
create or replace function app.opening_of(p_uid bigint, out brokerage numeric, out points numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(f.brokerage_delta), 0.00), coalesce(sum(f.frozen_delta + f.available_delta), 0)
  from (select l.* from app.user_bill as l where l.uid = p_uid order by l.add_time, l.id limit 1) as f
  where f.type = 'opening_balance'
$$;

comment on function app.opening_of is
  'Returns the commission and the points of a member''s opening balance, 0 without one.';

-- PL/pgSQL and a generic query plan: see app.frozen_until.
create or replace function app.balances_until(p_uid bigint, p_until timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
as $$
declare
  v_last record;
begin
  select b.brokerage_after, b.frozen_after, b.available_after into v_last
  from app.bill('-infinity', p_until) as b
  where b.uid = p_uid
  order by b.add_time desc, b.id desc
  limit 1;
  return jsonb_build_object(
    'brokerage_price', coalesce(v_last.brokerage_after, 0.00)::text, 'frozen_points',
    trim_scale(coalesce(v_last.frozen_after, 0)),
    'available_points', trim_scale(coalesce(v_last.available_after, 0))
  );
end
$$;

comment on function app.balances_until is
  'Returns the three balances of a member after the last bill row before p_until.';

grant execute on function app.balances_until(bigint, timestamptz) to authenticated, store_admin;

create or replace function app.seal_json(p_month date)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'month', to_char(s.month, 'YYYY-MM'), 'rows', s.row_count, 'root', encode(s.root, 'hex'), 'previous',
    encode(s.previous, 'hex'),
    'key', encode(s.public_key, 'hex'), 'signature', encode(s.signature, 'hex'), 'former_signature',
    encode(s.former_signature, 'hex'),
    'sealed_at', app.utc(s.sealed_at)
  )
  from app.month_seals as s where s.month = p_month
$$;

comment on function app.seal_json is
  'Returns the seal of a month as it is published; null if the month is not sealed. p_month is its first day.';

grant execute on function app.seal_json(date) to authenticated, store_admin;

-- Security invoker: reads with the rights of the caller.
-- Generic query plan: see app.bill_page.
create or replace function app.statement_json(p_uid bigint, p_month text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_month text := coalesce(p_month, to_char(app.month_of(now()), 'YYYY-MM'));
  v_from timestamptz;
  v_to timestamptz;
begin
  select m.begins_at, m.ends_at into v_from, v_to from app.month_bounds(app.month_start(v_month)) as m;
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
          b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen,
          sum(b.available_delta) as available
        from app.bill(v_from, v_to) as b
        where b.uid = p_uid
        group by b.type, b.source
      ) as s
    ),
    'months',
    (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(p_uid) as m (month)),
    'seal', app.seal_json(app.month_start(v_month))
  );
end
$$;

comment on function app.statement_json is
  'Returns the statement of a member for a business month: balances at both ends, sums for each bill type and source, '
  'months with rows, and the seal. p_month is YYYY-MM, by default the present month.';

grant execute on function app.statement_json(bigint, text) to authenticated, store_admin;

create or replace function app.bill_line(p_row app.user_bill, p_time_zone text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'time', app.local_time(p_row.add_time, p_time_zone),
    'id', p_row.id::pg_catalog.text, 'uid', p_row.uid::pg_catalog.text, 'type', p_row.type, 'source', p_row.source,
    'order', p_row.order_id::pg_catalog.text,
    'basis', pg_catalog.trim_scale(p_row.basis)::pg_catalog.text, 'rate',
    pg_catalog.trim_scale(p_row.rate)::pg_catalog.text,
    'level', p_row.agent_level::pg_catalog.text, 'passed_on', pg_catalog.trim_scale(p_row.passed_on)::pg_catalog.text,
    'brokerage', p_row.brokerage_delta::pg_catalog.text, 'frozen',
    pg_catalog.trim_scale(p_row.frozen_delta)::pg_catalog.text,
    'available', pg_catalog.trim_scale(p_row.available_delta)::pg_catalog.text,
    'brokerage_after', p_row.brokerage_after::pg_catalog.text, 'frozen_after',
    pg_catalog.trim_scale(p_row.frozen_after)::pg_catalog.text,
    'available_after', pg_catalog.trim_scale(p_row.available_after)::pg_catalog.text,
    'reverses', p_row.reverses_id::pg_catalog.text, 'withdrawal', p_row.withdrawal_id::pg_catalog.text,
    'adjustment', p_row.adjustment_id::pg_catalog.text
  )
$$;

comment on function app.bill_line is
  'Returns a bill row as a line of a CSV file, all values as text, in the time zone p_time_zone.';

grant execute on function app.bill_line(app.user_bill, text) to authenticated, store_admin;

-- Security invoker: reads with the rights of the caller.
-- One statement for a member and one for all, because they use different indexes. Generic query plans: see
-- app.bill_page.
create or replace function app.bill_lines(p_uid bigint, p_from timestamptz, p_to timestamptz, p_cursor text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_most constant integer := 1000;
  v_after record := app.line_position(p_cursor);
  v_from timestamptz := greatest(coalesce(p_from, '-infinity'), v_after.add_time);
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_zone text := (select s.time_zone from app.settings as s);
  v_rows app.user_bill[];
begin
  if p_uid is null then
    v_rows := array(
      select b from app.bill(v_from, v_to) as b
      where (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  else
    v_rows := array(
      select b from app.bill(v_from, v_to) as b
      where b.uid = p_uid and (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  end if;
  return jsonb_build_object(
    'lines',
    (select coalesce(jsonb_agg(app.bill_line(r, v_zone) order by r.add_time, r.id), '[]') from unnest(v_rows) as r),
    'next_cursor',
    case when cardinality(v_rows) = v_most then app.make_cursor((v_rows[v_most]).add_time, (v_rows[v_most]).id) end
  );
end
$$;

comment on function app.bill_lines is
  'Returns the next chunk of the bill as lines of a CSV file, oldest first: {lines, next_cursor}. From p_from until '
  'before p_to, p_uid null: of all members.';

grant execute on function app.bill_lines(bigint, timestamptz, timestamptz, text) to authenticated, store_admin;

create or replace function app.statement_lines(p_uid bigint, p_month text, p_cursor text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.bill_lines(p_uid, m.begins_at, m.ends_at, p_cursor) from app.month_bounds(app.month_start(p_month)) as m
$$;

comment on function app.statement_lines is
  'Returns the next chunk of a member''s bill of a business month (app.bill_lines). p_month is YYYY-MM.';

grant execute on function app.statement_lines(bigint, text, text) to authenticated, store_admin;

create or replace function app.bill_sums(p_from timestamptz, p_to timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::text,
    'frozen_points', trim_scale(s.frozen), 'available_points', trim_scale(s.available)
  ) order by s.type collate "C", s.source collate "C"), '[]')
  from (
    select
      b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen,
      sum(b.available_delta) as available
    from app.bill(p_from, p_to) as b
    group by b.type, b.source
  ) as s
$$;

comment on function app.bill_sums is
  'Returns the sums of the bill of all members from p_from until before p_to, for each type and source.';
