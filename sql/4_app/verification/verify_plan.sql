create or replace function app.verify_plan()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with worst as (
    select p.version, p.people_per_cycle, p.payout_cap, w.*
    from app.commission_plans as p cross join lateral app.worst_order(p, app.levels_json()) as w
    where p.version = app.active_plan_version()
  )
  select 'plan_is_in_force', case when count(*) = 1 then 'ok' else 'error' end, 'plan',
    coalesce(format('version %s, %s people per cycle', max(w.version), max(w.people_per_cycle)), 'no plan'),
    'Save a commission plan.'
  from worst as w
  union all
  select 'money_is_within_the_base', case when w.commission <= app.round_down(w.price * w.payout_cap, app.money_decimals()) then 'ok' else 'error' end, 'plan',
    format('at most %s of %s per unit (%s %%)', w.commission, w.price, trim_scale(w.ratio * 100)), 'Lower the ratios or the payout cap.'
  from worst as w
  union all
  select 'points_per_order', 'ok', 'plan',
    format('at most %s points per unit: %s with the commission, %s by level',
      trim_scale(w.points), trim_scale(w.commission_points), trim_scale(w.level_points)),
    'If this is more than intended, lower the points of the levels or points_per_brokerage.'
  from worst as w
  union all
  select 'queue_goods_are_on_sale', case when count(*) > 0 then 'ok' else 'warning' end, 'products',
    format('%s queue goods on sale', count(*)), 'Flag at least one product on sale as queue goods.'
  from app.products as g where g.is_queue_goods and g.is_show and not g.is_del
  union all
  select 'article_pool', case when count(*) > 0 then 'ok' else 'warning' end, 'articles',
    format('%s articles for the sign-in gate', count(*)), 'Publish an article in the sign-in category, or members sign in without reading.'
  from app.articles as a
  join app.article_categories as c on c.id = a.cid and c.is_sign_in_ad and not c.hidden and not c.is_del
  where a.status = 1 and a.is_del = 0 and a.hidden = 0
$$;

comment on function app.verify_plan is
  'Checks the plan in force, reports the most that one unit can pay (app.worst_order), and checks that there are queue goods '
  'on sale and articles for the sign-in gate.';
