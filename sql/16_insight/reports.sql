-- Figures by hour, day, week and month, and their sources: products, levels, members.

-- Each row counts in the period of its own time: an order when it was paid, a refund when it was made, commission when
-- it was booked. So what happens later changes no period that is over.
create or replace function app.sum_between(p_bounds timestamptz[])
returns table (
  number integer, orders bigint, queue_orders bigint, paid numeric, refunded numeric, queue_revenue numeric,
  commission numeric, points_frozen numeric, members bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from timestamptz := p_bounds[1];
  v_to timestamptz := p_bounds[cardinality(p_bounds)];
begin
  return query
    with sold as (
      select width_bucket(o.paid_at, p_bounds) as number, count(*) as orders,
        count(*) filter (where o.has_queue_goods) as queue_orders,
        sum(o.pay_price) as paid, sum(q.paid) as queue_paid
      from app.orders as o
      left join lateral (
        select sum(l.paid) as paid from app.order_lines as l where l.order_id = o.id and l.is_queue_goods
      ) as q on o.has_queue_goods
      where o.paid_at >= v_from and o.paid_at < v_to group by 1
    ), returned as (
      select width_bucket(f.decided_at, p_bounds) as number, sum(f.amount) as amount,
        sum(f.amount) filter (where f.is_queue_goods) as queue_amount
      from app.refunded_lines(v_from, v_to) as f group by 1
    ), booked as (
      select width_bucket(b.add_time, p_bounds) as number, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.bill(v_from, v_to) as b
      where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type) group by 1
    ), joined as (
      select width_bucket(u.add_time, p_bounds) as number, count(*) as members from app.users as u
      where u.add_time >= v_from and u.add_time < v_to group by 1
    )
    select n.number, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.paid, 0.00),
      coalesce(r.amount, 0.00),
      coalesce(s.queue_paid, 0.00) - coalesce(r.queue_amount, 0.00),
      coalesce(b.commission, 0.00), coalesce(b.points, 0), coalesce(j.members, 0)
    from generate_series(1, cardinality(p_bounds) - 1) as n (number)
    left join sold as s on s.number = n.number
    left join returned as r on r.number = n.number
    left join booked as b on b.number = n.number
    left join joined as j on j.number = n.number;
end
$$;

comment on function app.sum_between is
  'Returns the sums of the periods between ascending bounds, each from a bound until before the next one.';

grant execute on function app.sum_between(timestamptz[]) to store_admin;

-- PL/pgSQL, so that the session caches the query plan (decision 0007).
create or replace function app.valid_day_sums(p_first date, p_last date)
returns setof app.day_sums
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
begin
  return query
    select s.* from app.day_sums as s
    where s.day between p_first and p_last and s.begins_at = app.local_day_begins(s.day, v_zone)
      and s.ends_at = app.local_day_begins(s.day + 1, v_zone)
      and not exists (select from app.imports as i where coalesce(i.finished_at, 'infinity') >= s.summed_at);
end
$$;

comment on function app.valid_day_sums is
  'Returns the sums of days that still count: the store has the same days, and no import has written since.';

grant execute on function app.valid_day_sums(date, date) to store_admin;

create or replace function app.day_bounds(p_first date, p_last date)
returns timestamptz[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array_agg(app.local_day_begins(p_first + n.number, s.time_zone) order by n.number)
  from app.settings as s cross join generate_series(0, p_last - p_first + 1) as n (number)
$$;

comment on function app.day_bounds is
  'Returns when the business days from p_first to p_last begin, and when the last one ends.';

grant execute on function app.day_bounds(date, date) to store_admin;

-- No transaction of a day is open a day after its end, so its sums are final then. While an import writes, or if it
-- ended later than p_now by a clock that differs, no sums would count, and a run that writes them would not end.
-- Locks: the advisory lock day_sums, so that no member who is counted is being deleted (app.correct_sum_of_day); the
-- rows of the days, in their order. Idempotent, also when it runs concurrently: the sums of a day are the same whoever
-- computes them.
create or replace function app.sum_next_days(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_end date := app.business_day(p_now - interval '24 hours') - 1;
  v_first date := app.business_day(
    least((select min(o.paid_at) from app.orders as o), (select min(u.add_time) from app.users as u))
  );
  v_last date;
  v_bounds timestamptz[];
begin
  if exists (select from app.imports as i where coalesce(i.finished_at, 'infinity') >= p_now) then
    return false;
  end if;
  perform pg_advisory_xact_lock(app.lock_number('day_sums'));
  select min(d.day) into v_first
  from (select v_first + n.number as day from generate_series(0, v_end - v_first) as n (number)) as d
  where not exists (select from app.valid_day_sums(v_first, v_end) as s where s.day = d.day);
  if v_first is null then
    return false;
  end if;
  v_last := least(v_first + p_limit - 1, v_end);
  v_bounds := app.day_bounds(v_first, v_last);
  insert into app.day_sums as s (
    day, begins_at, ends_at, orders, queue_orders, paid, refunded, queue_revenue, commission, points_frozen, members,
    summed_at
  )
  select v_first + b.number - 1, v_bounds[b.number], v_bounds[b.number + 1], b.orders, b.queue_orders, b.paid,
    b.refunded, b.queue_revenue, b.commission,
    b.points_frozen, b.members, p_now
  from app.sum_between(v_bounds) as b
  order by b.number
  on conflict (day) do update
    set (
      begins_at, ends_at, orders, queue_orders, paid, refunded, queue_revenue, commission, points_frozen, members,
      summed_at
    ) = (
      excluded.begins_at, excluded.ends_at, excluded.orders, excluded.queue_orders, excluded.paid, excluded.refunded,
      excluded.queue_revenue,
      excluded.commission, excluded.points_frozen, excluded.members, excluded.summed_at
    );
  return v_last < v_end;
end
$$;

comment on function app.sum_next_days is
  'Writes the sums of up to p_limit business days that ended more than 24 hours ago and have none, oldest first, and '
  'returns whether more are left. Writes none while an import is unfinished.';

-- Idempotent, also when it runs concurrently: see app.sum_next_days.
create or replace procedure app.sum_days()
language plpgsql
as $$
declare
  v_run record := app.begin_run('sum_days', 31);
begin
  commit;
  while app.sum_next_days(app.trusted_time(null), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.sum_days is
  'Writes the sums of all business days that are due (app.sum_next_days), in batches with a commit each.';

create or replace function app.report_days(p_first date, p_last date)
returns setof app.period_figures
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    with summed as materialized (
      select * from app.valid_day_sums(p_first, p_last)
    ), missing as (
      -- Days that follow each other have the same run.
      select min(m.day) as first, max(m.day) as last
      from (
        select p_first + n.number as day, n.number - row_number() over (order by n.number) as run
        from generate_series(0, p_last - p_first) as n (number)
        where not exists (select from summed as s where s.day = p_first + n.number)
      ) as m
      group by m.run
    ), days as (
      select s.day, s.begins_at, s.ends_at, s.orders::bigint, s.queue_orders::bigint, s.paid, s.refunded,
        s.queue_revenue, s.commission, s.points_frozen, s.members::bigint
      from summed as s
      union all
      select m.first + b.number - 1, w.bounds[b.number], w.bounds[b.number + 1], b.orders, b.queue_orders, b.paid,
        b.refunded, b.queue_revenue, b.commission,
        b.points_frozen, b.members
      from missing as m cross join lateral app.day_bounds(m.first, m.last) as w (bounds)
      cross join lateral app.sum_between(w.bounds) as b
    )
    select d.day, d.begins_at, d.ends_at, d.orders, d.queue_orders, d.paid, d.refunded, d.queue_revenue, d.commission,
      d.points_frozen, coalesce(r.points, 0), d.members
    from days as d
    left join app.release_runs as r on r.release_date = d.day
    order by d.day;
end
$$;

comment on function app.report_days is 'Returns the figures of the business days from p_first to p_last, oldest first.';

grant execute on function app.report_days(date, date) to store_admin;

-- Clocks are put forward and back by half hours. What begins between full hours after such a change is the rest of the
-- hour that the clock shows.
create or replace function app.hour_bounds(p_first date, p_last date)
returns timestamptz[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array_agg(h.at order by h.at)
  from (
    select n.at, n.at at time zone s.time_zone as clock,
      lag(n.at at time zone s.time_zone) over (order by n.at) as clock_before
    from app.settings as s
    cross join generate_series(app.day_begins(p_first), app.day_begins(p_last + 1), interval '30 minutes') as n (at)
  ) as h
  where h.clock = date_trunc('hour', h.clock)
    or date_trunc('hour', h.clock) is distinct from date_trunc('hour', h.clock_before)
$$;

comment on function app.hour_bounds is
  'Returns when the hours of the business days from p_first to p_last begin, by the clock of the store, and when the '
  'last one ends.';

grant execute on function app.hour_bounds(date, date) to store_admin;

create or replace function app.report_periods(p_unit text, p_first date, p_last date)
returns setof app.period_figures
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_hours timestamptz[];
begin
  if p_unit = 'hour' then
    v_hours := app.hour_bounds(p_first, p_last);
    return query
      select app.business_day(v_hours[b.number]), v_hours[b.number], v_hours[b.number + 1], b.orders, b.queue_orders,
        b.paid, b.refunded, b.queue_revenue,
        b.commission, b.points_frozen, null::numeric, b.members
      from app.sum_between(v_hours) as b order by b.number;
    return;
  end if;
  return query
    select date_trunc(p_unit, d.day)::date, min(d.begins_at), max(d.ends_at), sum(d.orders)::bigint,
      sum(d.queue_orders)::bigint, sum(d.paid), sum(d.refunded),
      sum(d.queue_revenue), sum(d.commission), sum(d.points_frozen), sum(d.points_released), sum(d.members)::bigint
    from app.report_days(p_first, p_last) as d
    group by 1 order by 1;
end
$$;

comment on function app.report_periods is
  'Returns the figures of the hours, days, weeks or months from p_first to p_last, oldest first. Hours have no '
  'released points.';

grant execute on function app.report_periods(text, date, date) to store_admin;

create or replace function app.payout_share(p_commission numeric, p_queue_revenue numeric)
returns numeric
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select trunc(p_commission / nullif(greatest(p_queue_revenue, 0), 0), 4)
$$;

comment on function app.payout_share is
  'Returns commission divided by the revenue of queue goods, to 4 decimals; null without revenue.';

grant execute on function app.payout_share(numeric, numeric) to store_admin;

create or replace function app.figures_json(p_figures app.period_figures)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'orders', p_figures.orders, 'queue_orders', p_figures.queue_orders, 'paid', p_figures.paid::numeric(16,2)::text,
    'refunded', p_figures.refunded::numeric(16,2)::text, 'revenue',
    (p_figures.paid - p_figures.refunded)::numeric(16,2)::text,
    'queue_revenue', p_figures.queue_revenue::numeric(16,2)::text, 'commission',
    p_figures.commission::numeric(16,2)::text, 'payout_share',
    app.payout_share(p_figures.commission, p_figures.queue_revenue),
    'points_frozen', trim_scale(p_figures.points_frozen), 'points_released', trim_scale(p_figures.points_released),
    'members', p_figures.members
  )
$$;

comment on function app.figures_json is
  'Returns figures as the API shows them, with revenue: paid less refunded.';

grant execute on function app.figures_json(app.period_figures) to store_admin;

create or replace function app.periods_json(p_periods app.period_figures[], p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(
    jsonb_build_object(
      'day', p.day, 'begins_at', app.utc(p.begins_at), 'ends_at', app.utc(p.ends_at), 'is_over', p.ends_at <= p_now
    )
    || app.figures_json(p)
    order by p.begins_at
  )
  from unnest(p_periods) as p
$$;

comment on function app.periods_json is
  'Returns periods as the API shows them, oldest first, with whether they are over.';

grant execute on function app.periods_json(app.period_figures[], timestamptz) to store_admin;

create or replace function app.sum_of_periods(p_periods app.period_figures[])
returns app.period_figures
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select row(
    null, null, null, coalesce(sum(p.orders), 0), coalesce(sum(p.queue_orders), 0), coalesce(sum(p.paid), 0),
    coalesce(sum(p.refunded), 0), coalesce(sum(p.queue_revenue), 0),
    coalesce(sum(p.commission), 0), coalesce(sum(p.points_frozen), 0), sum(p.points_released),
    coalesce(sum(p.members), 0)
  )::app.period_figures
  from unnest(p_periods) as p
$$;

comment on function app.sum_of_periods is
  'Returns the sum of the figures of periods. Released points are null for hours.';

grant execute on function app.sum_of_periods(app.period_figures[]) to store_admin;

create or replace function app.check_report(p_unit text, p_from date, p_to date, out first date, out last date)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := case p_unit when 'hour' then 2 when 'day' then 400 when 'week' then 110 when 'month' then 60 end;
  v_periods integer;
begin
  if v_most is null then
    perform app.fail('invalid_argument', 'unit is hour, day, week or month.');
  elsif p_from is null or p_to is null or p_from > p_to or p_from < date '2000-01-01' or p_to > date '2999-12-31' then
    perform app.fail('invalid_argument', 'from is a day that is not after to, between the years 2000 and 3000.');
  end if;
  first := case when p_unit in ('week', 'month') then date_trunc(p_unit, p_from)::date else p_from end;
  last := case p_unit
    when 'week' then date_trunc('week', p_to)::date + 6
    when 'month' then (date_trunc('month', p_to) + interval '1 month')::date - 1
    else p_to
  end;
  v_periods := case p_unit
    when 'week' then (last - first + 1) / 7
    when 'month' then (extract(year from age(last + 1, first)) * 12 + extract(month from age(last + 1, first)))::integer
    else last - first + 1
  end;
  if v_periods > v_most then
    perform app.fail('invalid_argument', format(
      'A report has at most 48 hours, 400 days, 110 weeks or 60 months; these are %s.',
      case p_unit when 'hour' then v_periods * 24 else v_periods end
    ));
  end if;
end
$$;

comment on function app.check_report is
  'Returns the first and last day of a report in whole weeks, from Monday, or months. Raises invalid_argument, also '
  'beyond 2 days by hour, 400 days, 110 weeks or 60 months.';

grant execute on function app.check_report(text, date, date) to store_admin;

create or replace function app.compared_days(
  p_unit text, p_compare text, p_first date, p_last date, out first date, out last date
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_months integer := (
    extract(year from age(p_last + 1, p_first)) * 12 + extract(month from age(p_last + 1, p_first))
  )::integer;
begin
  first := case
    when p_compare = 'before' and p_unit = 'month' then (p_first - make_interval(months => v_months))::date
    when p_compare = 'before' then p_first - (p_last - p_first + 1)
    when p_unit = 'week' then p_first - 364
    else (p_first - interval '1 year')::date
  end;
  last := case
    when p_unit = 'month' then (first + make_interval(months => v_months))::date - 1
    else first + (p_last - p_first)
  end;
end
$$;

comment on function app.compared_days is
  'Returns the days with which a report is compared: as many periods just before it (before), or those of a year '
  'before (year). A year of weeks is 52.';

grant execute on function app.compared_days(text, text, date, date) to store_admin;

-- The three functions below read orders, refunds and bill of the period through their indexes by time.
create or replace function app.check_sources(p_from timestamptz, p_to timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_from is null or p_to is null or p_from >= p_to
    or p_to > p_from + make_interval(days => app.most_source_days(), hours => 1) then
    perform app.fail(
      'invalid_argument', format('from is before to, and at most %s days before it.', app.most_source_days())
    );
  end if;
end
$$;

comment on function app.check_sources is
  'Raises invalid_argument if the period of a report of products, levels or members is longer than '
  'app.most_source_days() and an hour for clocks that are put back.';

grant execute on function app.check_sources(timestamptz, timestamptz) to store_admin;

create or replace function app.sold_products(p_from timestamptz, p_to timestamptz)
returns table (
  product_id bigint, is_queue_goods boolean, title text, orders bigint, units bigint, units_refunded bigint,
  paid numeric, refunded numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    with sums as (
      select m.product_id, m.is_queue_goods, max(m.line_id) as last_line, count(distinct m.order_id) as orders,
        sum(m.units) as units,
        sum(m.units_refunded) as units_refunded, sum(m.paid) as paid, sum(m.refunded) as refunded
      from (
        select l.product_id, l.is_queue_goods, l.id as line_id, l.order_id, l.quantity as units, 0 as units_refunded,
          l.paid, 0.00 as refunded
        from app.orders as o join app.order_lines as l on l.order_id = o.id
        where o.paid_at >= p_from and o.paid_at < p_to
        union all
        select f.product_id, f.is_queue_goods, f.line_id, null, 0, f.units, 0.00, f.amount
        from app.refunded_lines(p_from, p_to) as f where f.line_id is not null
      ) as m
      group by m.product_id, m.is_queue_goods
    )
    select s.product_id, s.is_queue_goods, l.title, s.orders, s.units, s.units_refunded, s.paid, s.refunded
    from sums as s join app.order_lines as l on l.id = s.last_line;
end
$$;

comment on function app.sold_products is
  'Returns the products that were sold or refunded from p_from until before p_to, without freight, each sale and '
  'refund at its own time. A product whose flag changed has two rows. title is that of the newest order line.';

grant execute on function app.sold_products(timestamptz, timestamptz) to store_admin;

-- With p_by referrer, the referrer of an order is that of the time when it was placed (app.orders).
create or replace function app.member_figures(p_by text, p_from timestamptz, p_to timestamptz)
returns table (uid bigint, orders bigint, paid numeric, refunded numeric, commission numeric, points_frozen numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select m.uid, count(m.paid), coalesce(sum(m.paid), 0.00), coalesce(sum(m.refunded), 0.00),
      coalesce(sum(m.commission), 0.00), coalesce(sum(m.points), 0)
    from (
      select case p_by when 'buyer' then o.uid else o.referrer_uid end as uid, o.pay_price as paid,
        null::numeric as refunded, null::numeric as commission, null::numeric as points
      from app.orders as o where o.paid_at >= p_from and o.paid_at < p_to
      union all
      select case p_by when 'buyer' then o.uid else o.referrer_uid end, null, f.amount, null, null
      from app.refunded_lines(p_from, p_to) as f join app.orders as o on o.id = f.order_id
      union all
      select b.uid, null, null, b.brokerage_delta, b.frozen_delta + b.available_delta
      from app.bill(p_from, p_to) as b where b.source <> 'release' and b.order_id is not null and app.is_earned(b.type)
    ) as m
    where m.uid is not null
    group by m.uid;
end
$$;

comment on function app.member_figures is
  'Returns what each member bought (p_by buyer) or sold to direct members (referrer), and earned, from p_from until '
  'before p_to. Orders, refunds and bill rows count at their own time.';

grant execute on function app.member_figures(text, timestamptz, timestamptz) to store_admin;
