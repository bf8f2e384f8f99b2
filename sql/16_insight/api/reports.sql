-- What clients may call about reports.

create or replace function api.get_report(
  p_unit text default 'day', p_from date default null, p_to date default null, p_compare text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_to date := coalesce(p_to, app.business_day(v_now));
  v_days record;
  v_first date;
  v_last date;
  v_periods app.period_figures[];
  v_before app.period_figures[];
  v_over integer;
  v_over_before integer;
  v_zone text := (select s.time_zone from app.settings as s);
begin
  perform app.require_admin();
  v_days := app.check_report(
    p_unit,
    coalesce(p_from, v_to - case p_unit when 'hour' then 0 when 'week' then 84 when 'month' then 335 else 29 end), v_to
  );
  if p_compare is not null and p_compare not in ('before', 'year') then
    perform app.fail('invalid_argument', 'compare is before or year.');
  end if;
  v_periods := array(select p from app.report_periods(p_unit, v_days.first, v_days.last) as p order by p.begins_at);
  v_over := (select count(*) from unnest(v_periods) as p where p.ends_at <= v_now);
  if p_compare is not null then
    select c.first, c.last into v_first, v_last
    from app.compared_days(p_unit, p_compare, v_days.first, v_days.last) as c;
    if exists (select from app.orders as o where o.paid_at < app.day_begins(v_last + 1))
      or exists (select from app.users as u where u.add_time < app.day_begins(v_last + 1)) then
      v_before := array(select p from app.report_periods(p_unit, v_first, v_last) as p order by p.begins_at);
      -- Hours are compared by the clock: a day on which it changes has more or fewer than the one that it is compared
      -- with.
      v_over_before := case when p_unit <> 'hour' then v_over else (
        select count(*) from unnest(v_before) as p
        where (p.begins_at at time zone v_zone) - v_first < (
          v_periods[v_over].ends_at at time zone v_zone
        ) - v_days.first
      ) end;
    end if;
  end if;
  return jsonb_build_object(
    'unit', p_unit, 'from', v_days.first, 'to', v_days.last, 'time_zone', v_zone, 'source_days', app.most_source_days(),
    'periods', app.periods_json(v_periods, v_now), 'totals', app.figures_json(app.sum_of_periods(v_periods)),
    'over', app.figures_json(app.sum_of_periods(v_periods[:v_over])),
    'compared', case when v_before is not null then jsonb_build_object(
      'from', v_first, 'to', v_last, 'periods', app.periods_json(v_before, v_now),
      'over', app.figures_json(app.sum_of_periods(v_before[:v_over_before]))
    ) end
  );
end
$$;

comment on function api.get_report is
  'Returns the figures of the periods from p_from to p_to, and their totals. p_compare adds other periods '
  '(app.compared_days), null if the store had neither orders nor members by then. over sums the periods that are '
  'over. Serves GET /adminapi/report.';

grant execute on function api.get_report(text, date, date, text) to store_admin;

create or replace function api.get_report_products(
  p_from timestamptz, p_to timestamptz, p_sort text default '-revenue', p_page integer default 1,
  p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sort record;
  v_skip bigint;
begin
  perform app.require_admin();
  v_sort := app.check_sort(p_sort, '{revenue, units, orders}');
  v_skip := app.check_page(p_page, p_limit);
  perform app.check_sources(p_from, p_to);
  return (
    with matching as materialized (
      select s.*,
        case v_sort.key
          when 'units' then s.units
          when 'orders' then s.orders
          else s.paid - s.refunded
        end * case v_sort.direction when 'desc' then -1 else 1 end as rank
      from app.sold_products(p_from, p_to) as s
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'title', l.title, 'is_queue_goods', l.is_queue_goods, 'orders', l.orders, 'units',
        l.units, 'units_refunded', l.units_refunded,
        'paid', l.paid::text, 'refunded', l.refunded::text, 'revenue', (l.paid - l.refunded)::text
      ) order by l.rank, l.product_id, l.is_queue_goods),
      (select count(*) from matching)
    ) || jsonb_build_object(
      'freight',
      (select coalesce(sum(o.freight), 0.00)::text from app.orders as o where o.paid_at >= p_from and o.paid_at < p_to),
      'freight_refunded',
      (select coalesce(sum(f.amount), 0.00)::text from app.refunded_lines(p_from, p_to) as f where f.line_id is null)
    )
    from (
      select m.* from matching as m order by m.rank, m.product_id, m.is_queue_goods offset v_skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_report_products is
  'Returns a page of the products that were sold or refunded in a period (app.sold_products), sorted by revenue, '
  'units or orders, and the freight of the period. Serves GET /adminapi/report/product.';

grant execute on function api.get_report_products(timestamptz, timestamptz, text, integer, integer) to store_admin;

create or replace function api.get_report_levels(p_from timestamptz, p_to timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.check_sources(p_from, p_to);
  return (
    with sums as (
      select u.agent_level as grade, sum(f.orders) as orders, sum(f.paid) as paid, sum(f.refunded) as refunded,
        sum(f.commission) as commission, sum(f.points_frozen) as points
      from app.member_figures('buyer', p_from, p_to) as f join app.users as u on u.uid = f.uid group by 1
    ), joined as (
      select u.agent_level as grade, count(*) as members from app.users as u
      where u.add_time >= p_from and u.add_time < p_to group by 1
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'agent_level', l.grade, 'agent_level_name', l.name, 'members', coalesce(j.members, 0), 'orders',
        coalesce(s.orders, 0), 'paid', coalesce(s.paid, 0.00)::text,
        'refunded', coalesce(s.refunded, 0.00)::text, 'revenue', coalesce(s.paid - s.refunded, 0.00)::text,
        'commission', coalesce(s.commission, 0.00)::text, 'points_frozen', trim_scale(coalesce(s.points, 0))
      ) order by l.grade),
      count(*)
    )
    from app.agent_levels as l
    left join sums as s on s.grade = l.grade
    left join joined as j on j.grade = l.grade
    where l.is_active or s.grade is not null or j.grade is not null
  );
end
$$;

comment on function api.get_report_levels is
  'Returns what members bought and earned in a period, and who joined, by their present level. Serves GET '
  '/adminapi/report/level.';

grant execute on function api.get_report_levels(timestamptz, timestamptz) to store_admin;

create or replace function api.get_report_members(
  p_from timestamptz, p_to timestamptz, p_sort text default '-revenue', p_page integer default 1,
  p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sort record;
  v_skip bigint;
begin
  perform app.require_admin();
  v_sort := app.check_sort(p_sort, '{revenue, orders, commission, points_frozen}');
  v_skip := app.check_page(p_page, p_limit);
  perform app.check_sources(p_from, p_to);
  return (
    with matching as materialized (
      select f.*,
        case v_sort.key
          when 'orders' then f.orders
          when 'commission' then f.commission
          when 'points_frozen' then f.points_frozen
          else f.paid - f.refunded
        end
        * case v_sort.direction when 'desc' then -1 else 1 end as rank
      from app.member_figures('referrer', p_from, p_to) as f
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'uid', l.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', v.name, 'orders',
        l.orders, 'paid', l.paid::text, 'refunded', l.refunded::text,
        'revenue', (l.paid - l.refunded)::text, 'commission', l.commission::text, 'points_frozen',
        trim_scale(l.points_frozen)
      ) order by l.rank, l.uid),
      (select count(*) from matching)
    )
    from (select m.* from matching as m order by m.rank, m.uid offset v_skip limit p_limit) as l
    join app.users as u on u.uid = l.uid
    join app.agent_levels as v on v.grade = u.agent_level
  );
end
$$;

comment on function api.get_report_members is
  'Returns a page of what members sold to direct members and earned in a period (app.member_figures), sorted by '
  'revenue, orders, commission or points_frozen. Serves GET /adminapi/report/member.';

grant execute on function api.get_report_members(timestamptz, timestamptz, text, integer, integer) to store_admin;
