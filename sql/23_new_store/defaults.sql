-- Settings, levels and plan of a new store.

-- Settings, levels and plan of a new store, which administrators can change. Idempotent.
insert into app.settings (id) values (true) on conflict do nothing;

insert into app.article_pool_guard (id) values (true) on conflict do nothing;

insert into app.team_totals_as_of (id) values (true) on conflict do nothing;

insert into app.agent_levels (grade, name, name_zh, direct_points, umbrella_points) values
  (0, 'Member', '普通会员', 0, 0),
  (1, 'Maker', '创客', 500, 0),
  (2, 'Cloud store', '云店', 800, 300),
  (3, 'Service provider', '服务商', 1000, 500),
  (4, 'Branch', '分公司', 1300, 800)
on conflict do nothing;

insert into app.agent_level_tasks (grade, type, target) values
  (1, 'direct_orders', 3),
  (2, 'umbrella_orders', 30), (2, 'direct_members', 3),
  (3, 'umbrella_orders', 100), (3, 'direct_members', 3),
  (4, 'umbrella_orders', 1000), (4, 'direct_members', 3)
on conflict do nothing;

insert into app.commission_plans (people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing)
select 3, array[0.2, 0.3, 0.5], 'direct', 'on_pay'
where not exists (select from app.commission_plans);

insert into app.carriers (code, name, name_zh, tracking_url)
select c.code, c.name, c.name_zh, 'https://www.kuaidi100.com/chaxun?com=' || c.name_there || '&nu={number}'
from (values
  ('SF', 'SF Express', '顺丰速运', 'shunfeng'),
  ('ZTO', 'ZTO Express', '中通快递', 'zhongtong'),
  ('YTO', 'YTO Express', '圆通速递', 'yuantong'),
  ('STO', 'STO Express', '申通快递', 'shentong'),
  ('YD', 'Yunda Express', '韵达速递', 'yunda'),
  ('JTSD', 'J&T Express', '极兔速递', 'jtexpress'),
  ('JD', 'JD Logistics', '京东物流', 'jd'),
  ('EMS', 'EMS', 'EMS', 'ems'),
  ('YZPY', 'China Post', '邮政快递包裹', 'youzhengguonei'),
  ('DBL', 'Deppon Express', '德邦快递', 'debangkuaidi')
) as c (code, name, name_zh, name_there)
on conflict do nothing;

insert into app.level_versions (levels)
select app.levels_json() where not exists (select from app.level_versions);

select app.create_month_partition(t.name, m.month::date)
from unnest(app.monthly_tables()) as t (name)
cross join generate_series(
  date_trunc('month', current_date::timestamp), current_date + interval '2 months', interval '1 month'
) as m (month);
