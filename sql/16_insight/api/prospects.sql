-- What a member could earn, as estimates by the plan in force, and what they have earned in a month, day by day.

-- Security definer: no parameter names a member, and client roles may not execute app.forecast_json.
create or replace function api.get_prospects()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_products app.products[] := array(
    select p from app.products_on_sale(null, null) as p where p.is_queue_goods order by p.id desc limit 20
  );
  v_earnings jsonb := app.you_would_earn(v_products);
begin
  return jsonb_build_object(
    'progress', (select p from app.brokerage_progress(v_uid, clock_timestamp()) as p),
    'products', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'title', p.title, 'price', p.price::text, 'you_would_earn', v_earnings -> p.id::text
      ) order by p.id desc), '[]')
      from unnest(v_products) as p
    ),
    'forecast', app.forecast_json(v_uid) - '{uid, members}'::text[]
  );
end
$$;

comment on function api.get_prospects is
  'Returns estimates for the caller: the commission cycle, what the next order of each of the newest 20 queue goods '
  'would pay (app.you_would_earn), and the forecast of released points. Serves GET /api/prospects.';

grant execute on function api.get_prospects() to authenticated, store_admin;

-- Security definer: reads only the bill of the member of the verified token.
-- Generic query plan: see app.bill_page.
create or replace function api.get_month_earnings(p_month text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_uid bigint := app.require_uid();
  v_time_zone text := (select s.time_zone from app.settings as s);
  v_month text := coalesce(p_month, to_char(app.month_of(clock_timestamp()), 'YYYY-MM'));
  v_first date := app.month_start(v_month);
  v_last date := (v_first + interval '1 month - 1 day')::date;
  v_bounds record;
begin
  select m.begins_at, m.ends_at into v_bounds from app.month_bounds(v_first) as m;
  return (
    with earned as (
      -- A month that was closed in another time zone has its bounds, so its rows can lie outside of its days by hours.
      select greatest(v_first, least(v_last, app.local_day(l.add_time, v_time_zone))) as day,
        sum(l.brokerage_delta) as commission,
        sum(l.frozen_delta + l.available_delta) as points
      -- With `offset 0`, the rows of the member are found before others are left out: a plan made while the month was
      -- empty would read the index of all rows with an order.
      from (select b.* from app.bill(v_bounds.begins_at, v_bounds.ends_at) as b where b.uid = v_uid offset 0) as l
      where l.order_id is not null and app.is_earned(l.type)
      group by 1
    )
    select jsonb_build_object(
      'month', v_month, 'commission', coalesce(sum(e.commission), 0.00)::text, 'points',
      trim_scale(coalesce(sum(e.points), 0)),
      'days', jsonb_agg(jsonb_build_object(
        'day', n.at::date, 'commission', coalesce(e.commission, 0.00)::text, 'points', trim_scale(coalesce(e.points, 0))
      ) order by n.at),
      'months',
      (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(v_uid) as m (month))
    )
    from generate_series(v_first::timestamp, v_last::timestamp, interval '1 day') as n (at)
    left join earned as e on e.day = n.at::date
  );
end
$$;

comment on function api.get_month_earnings is
  'Returns what orders earned the caller on each day of a business month, less reversals of that day, with the sums, '
  'and the months with bill rows. p_month is YYYY-MM, by default the present month. Serves GET /api/prospects/month.';

grant execute on function api.get_month_earnings(text) to authenticated, store_admin;
