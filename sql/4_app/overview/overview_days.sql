-- Raises: month_archived.
-- Reads through indexes: orders by payment time, the part of the bill that names an order, and one row a day of releases.
create or replace function app.overview_days(p_today date, p_days integer)
returns table (day date, orders bigint, queue_orders bigint, queue_revenue numeric, commission numeric, points_frozen numeric, points_released numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first date := p_today - p_days + 1;
  v_zone text := (select s.time_zone from app.settings as s);
  v_from timestamptz := v_first::timestamp at time zone v_zone;
begin
  perform app.reject_archived_time('user_bill', v_from);
  return query
    with sold as (
      select (o.paid_at at time zone v_zone)::date as day, count(*) as orders, count(*) filter (where o.queue_units > 0) as queue_orders,
        sum(o.queue_base) as queue_revenue
      from app.orders as o where o.paid_at >= v_from group by 1
    ), booked as (
      select (b.add_time at time zone v_zone)::date as day, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.user_bill as b where b.order_id is not null and app.is_earned(b.type) and b.add_time >= v_from group by 1
    )
    select d.day, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.queue_revenue, 0.00), coalesce(b.commission, 0.00),
      coalesce(b.points, 0), coalesce(r.points, 0)
    from (select v_first + n.number as day from generate_series(0, p_days - 1) as n (number)) as d
    left join sold as s on s.day = d.day
    left join booked as b on b.day = d.day
    left join app.release_runs as r on r.release_date = d.day
    order by d.day;
end
$$;

comment on function app.overview_days is
  'Returns sales, earnings and releases of each of the last p_days business days, oldest first. Orders count on the day of '
  'their payment, with what is left of their queue goods after refunds. Commission and points count on the day when they were '
  'booked, less reversals booked on that day.';

grant execute on function app.overview_days(date, integer) to store_admin;
