begin;
\ir ../support/fixture.psql
select plan(1);

-- All grants of EXECUTE on our functions, stated a second time. A function that is not in here is for the owner alone.
create temporary table expected (name text, roles text);
insert into expected values
('app.active_plan_version', 'authenticated store_admin'),
  ('app.as_caller', 'store_api'),
  ('app.as_service', 'store_api'),
  ('app.blame_arguments', 'anon authenticated store_admin service_role'),
  ('app.bill_json', 'authenticated store_admin'),
  ('app.brokerage_progress', 'authenticated store_admin'),
  ('app.business_day', 'authenticated store_admin'),
  ('app.call_api', 'anon authenticated store_admin service_role'),
  ('app.check_page', 'anon authenticated store_admin'),
  ('app.current_uid', 'authenticated store_admin'),
  ('app.fail', 'anon authenticated store_admin service_role store_api'),
  ('app.forecast_release', 'authenticated store_admin'),
  ('app.has_reported_order', 'authenticated store_admin'),
  ('app.levels_json', 'store_admin'),
  ('app.make_cursor', 'authenticated store_admin'),
  ('app.order_json', 'authenticated store_admin'),
  ('app.parse_cursor', 'authenticated store_admin'),
  ('app.product_json', 'anon authenticated store_admin'),
  ('app.refund_json', 'authenticated store_admin'),
  ('app.release_amount', 'authenticated store_admin'),
  ('app.release_json', 'store_admin'),
  ('app.release_rate', 'authenticated store_admin'),
  ('app.require_admin', 'store_admin'),
  ('app.require_uid', 'authenticated store_admin'),
  ('app.round_down', 'authenticated store_admin'),
  ('app.run_json', 'store_admin'),
  ('app.user_json', 'store_admin'),
  ('app.utc', 'anon authenticated store_admin service_role'),
  ('api.admin_get_orders', 'store_admin'),
  ('api.admin_get_system_metadata', 'store_admin'),
  ('api.admin_get_user', 'store_admin'),
  ('api.admin_get_users', 'store_admin'),
  ('api.bind_spread', 'authenticated store_admin'),
  ('api.cancel_order', 'authenticated store_admin'),
  ('api.confirm_receipt', 'authenticated store_admin'),
  ('api.create_order', 'authenticated store_admin'),
  ('api.deliver_order', 'store_admin'),
  ('api.get_agent_config_report', 'store_admin'),
  ('api.get_agent_levels', 'store_admin'),
  ('api.get_assets_overview', 'authenticated store_admin'),
  ('api.get_bill', 'authenticated store_admin'),
  ('api.get_brokerage_config', 'store_admin'),
  ('api.get_brokerage_progress', 'authenticated store_admin'),
  ('api.get_count_audit', 'store_admin'),
  ('api.get_health', 'anon authenticated store_admin'),
  ('api.get_jobs', 'store_admin'),
  ('api.get_me', 'authenticated store_admin'),
  ('api.get_order', 'authenticated store_admin'),
  ('api.get_orders', 'authenticated store_admin'),
  ('api.get_product', 'anon authenticated store_admin'),
  ('api.get_products', 'anon authenticated store_admin'),
  ('api.get_release_forecast', 'store_admin'),
  ('api.get_release_log', 'store_admin'),
  ('api.get_required_article', 'anon authenticated store_admin'),
  ('api.get_settlement', 'store_admin'),
  ('api.get_system_metadata', 'anon authenticated store_admin'),
  ('api.pay_order_offline', 'store_admin'),
  ('api.preview_refund', 'store_admin'),
  ('api.refund_order', 'store_admin'),
  ('api.refuse_refund', 'store_admin'),
  ('api.request_refund', 'authenticated store_admin'),
  ('api.retry_job', 'store_admin'),
  ('api.run_settlement_jobs', 'service_role'),
  ('api.set_agent_level', 'store_admin'),
  ('api.set_agent_levels', 'store_admin'),
  ('api.set_brokerage_config', 'store_admin'),
  ('api.set_no_assess', 'store_admin'),
  ('api.simulate', 'store_admin');

select set_eq($$
  select p.pronamespace::regnamespace || '.' || p.proname, string_agg(r.name, ' ' order by r.place)
  from pg_proc as p
  cross join unnest(array['anon', 'authenticated', 'store_admin', 'service_role', 'store_api']) with ordinality as r (name, place)
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and has_function_privilege(r.name, p.oid, 'execute')
  group by p.oid
$$, 'select name, roles from expected', 'functions and the roles that may execute them');

select * from finish();
rollback;
