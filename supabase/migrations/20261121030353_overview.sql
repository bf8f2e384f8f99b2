SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.get_overview (
  p_days integer DEFAULT 30
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_days jsonb;
  v_totals jsonb;
begin
  if p_days is null or p_days not between 1 and 366 then
    perform app.fail('invalid_argument', 'days is between 1 and 366.');
  end if;
  select
    jsonb_agg(jsonb_build_object(
      'day', d.day, 'orders', d.orders, 'queue_orders', d.queue_orders, 'queue_revenue', d.queue_revenue::text,
      'commission', d.commission::text, 'payout_share', trunc(d.commission / nullif(d.queue_revenue, 0), 4),
      'points_frozen', trim_scale(d.points_frozen), 'points_released', trim_scale(d.points_released)
    ) order by d.day),
    jsonb_build_object(
      'orders', sum(d.orders), 'queue_orders', sum(d.queue_orders), 'queue_revenue', sum(d.queue_revenue)::text,
      'commission', sum(d.commission)::text, 'payout_share', trunc(sum(d.commission) / nullif(sum(d.queue_revenue), 0), 4),
      'points_frozen', trim_scale(sum(d.points_frozen)), 'points_released', trim_scale(sum(d.points_released))
    )
  into v_days, v_totals
  from app.overview_days(app.business_day(clock_timestamp()), p_days) as d;
  return jsonb_build_object(
    'days', v_days, 'totals', v_totals,
    'last_release', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1),
    'jobs', (
      select jsonb_build_object('waiting', count(*) filter (where j.state = 'waiting'), 'dead', count(*) filter (where j.state = 'dead'))
      from app.settlement_jobs as j
    ),
    'last_reconcile', (
      select jsonb_build_object('started_at', app.utc(c.started_at), 'finished_at', app.utc(c.finished_at), 'findings', c.findings)
      from app.reconcile_runs as c order by c.id desc limit 1
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION app.overview_days (
  p_today date,
  p_days  integer
)
  RETURNS TABLE (
    day             date,
    orders          bigint,
    queue_orders    bigint,
    queue_revenue   numeric,
    commission      numeric,
    points_frozen   numeric,
    points_released numeric
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_first date := p_today - p_days + 1;
  v_zone text := (select s.time_zone from app.settings as s);
  v_from timestamptz := v_first::timestamp at time zone v_zone;
begin
  return query
    with sold as (
      select (o.paid_at at time zone v_zone)::date as day, count(*) as orders, count(*) filter (where o.queue_units > 0) as queue_orders,
        sum(o.queue_base) as queue_revenue
      from app.orders as o where o.paid_at >= v_from group by 1
    ), booked as (
      select (b.add_time at time zone v_zone)::date as day, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.user_bill as b where b.order_id is not null and b.add_time >= v_from group by 1
    )
    select d.day, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.queue_revenue, 0.00), coalesce(b.commission, 0.00),
      coalesce(b.points, 0), coalesce(r.points, 0)
    from (select v_first + n.number as day from generate_series(0, p_days - 1) as n (number)) as d
    left join sold as s on s.day = d.day
    left join booked as b on b.day = d.day
    left join app.release_runs as r on r.release_date = d.day
    order by d.day;
end
$function$;

CREATE INDEX orders_paid_at_idx ON app.orders USING btree (paid_at)
  WHERE (paid_at IS NOT NULL);

-- By hand: on the whole table, whichever months it has partitions for.
CREATE INDEX user_bill_earned_idx ON app.user_bill USING btree (add_time)
  WHERE (order_id IS NOT NULL);

REVOKE ALL ON FUNCTION "api"."get_overview"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_overview"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_overview"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_overview"(integer) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."overview_days"(date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."overview_days"(date, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."overview_days"(date, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "app"."overview_days"(date, integer) TO "store_admin";
