begin;
\ir ../support/fixture.psql
select plan(3);

create temporary table expected (name text, roles text);
insert into expected values
  ('admin_actions', 'store_admin service_role'),
  ('administrators', 'store_admin service_role'),
  ('adjustments', 'store_admin service_role'),
  ('commission_maturities', 'authenticated store_admin service_role'),
  ('payout_accounts', ''),
  ('withdrawal_batches', 'store_admin service_role'),
  ('decided_alone', 'store_admin service_role'),
  ('used_quotas', 'store_admin service_role'),
  ('waiting_payments', 'store_admin service_role'),
  ('withdrawals', 'authenticated store_admin service_role'),
  ('agent_level_tasks', 'authenticated store_admin service_role'),
  ('agent_levels', 'authenticated store_admin service_role'),
  ('article_categories', 'anon authenticated store_admin service_role'),
  ('article_pool', 'anon authenticated store_admin service_role'),
  ('article_pool_guard', 'store_admin service_role'),
  ('articles', 'anon authenticated store_admin service_role'),
  ('archived_balances', 'authenticated store_admin service_role'),
  ('archived_months', 'authenticated store_admin service_role'),
  ('carried_balances', 'store_admin service_role'),
  ('clock', 'store_admin service_role'),
  ('commission_plans', 'authenticated store_admin service_role'),
  ('idempotency_keys', ''),
  ('imported_bill', 'store_admin service_role'),
  ('imported_members', ''),
  ('imported_openids', ''),
  ('imported_products', 'store_admin service_role'),
  ('imports', 'store_admin service_role'),
  ('job_runs', 'store_admin service_role'),
  ('manifest', 'store_admin service_role'),
  ('manifest_checks', 'store_admin service_role'),
  ('level_changes', 'authenticated store_admin service_role'),
  ('level_versions', 'store_admin service_role'),
  ('no_assess_changes', 'store_admin service_role'),
  ('opening_cycles', 'store_admin service_role'),
  ('function_settings', 'store_admin service_role'),
  ('order_lines', 'authenticated store_admin service_role'),
  ('orders', 'authenticated store_admin service_role'),
  ('outbox', 'store_admin service_role'),
  ('payment_attempts', 'store_admin service_role'),
  ('payment_payers', ''),
  ('provider_refunds', 'authenticated store_admin service_role'),
  ('payment_notifications', 'store_admin service_role'),
  ('closed_months', 'store_admin service_role'),
  ('points_release_log', 'authenticated store_admin service_role'),
  ('posters', 'store_admin service_role'),
  ('products', 'anon authenticated store_admin service_role'),
  ('reconcile_runs', 'store_admin service_role'),
  ('refund_lines', 'authenticated store_admin service_role'),
  ('refunds', 'authenticated store_admin service_role'),
  ('release_runs', 'authenticated store_admin service_role'),
  ('scheduled_jobs', 'store_admin service_role'),
  ('settings', 'anon authenticated store_admin service_role'),
  ('settlement_jobs', 'store_admin service_role'),
  ('settlements', 'authenticated store_admin service_role'),
  ('staged_bill', ''),
  ('staged_members', ''),
  ('staged_openids', ''),
  ('staged_order_lines', ''),
  ('staged_orders', ''),
  ('staged_products', ''),
  ('staged_refunds', ''),
  ('transfers', ''),
  ('team_changes', 'store_admin service_role'),
  ('team_totals', 'store_admin service_role'),
  ('team_totals_as_of', 'store_admin service_role'),
  ('user_balances', 'authenticated store_admin service_role'),
  ('user_bill', 'authenticated store_admin service_role'),
  ('addresses', 'service_role'),
  ('users', 'authenticated store_admin service_role'),
  ('unproved_passwords', ''),
  ('wechat_accounts', ''),
  ('wechat_tokens', '');

select set_eq($$
  select c.relname::text, coalesce(string_agg(r.name, ' ' order by r.place) filter (where has_table_privilege(r.name, c.oid, 'select')), '')
  from pg_class as c
  cross join unnest(array['anon', 'authenticated', 'store_admin', 'service_role', 'store_api']) with ordinality as r (name, place)
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  group by c.oid
$$, 'select name, roles from expected', 'tables and the roles that may read them');
select is_empty($$
  select r, c.relname from pg_class as c cross join unnest(array['anon', 'authenticated', 'store_admin', 'service_role', 'store_api']) as r
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p')
    and has_table_privilege(r, c.oid, 'insert, update, delete, truncate, references, trigger')
$$, 'no client role writes a table');
select is_empty($$
  select r, c.relname from pg_class as c cross join unnest(array['anon', 'authenticated', 'store_admin', 'service_role', 'store_api']) as r
  where c.relnamespace = 'app'::regnamespace and c.relispartition and c.relkind in ('r', 'p') and has_table_privilege(r, c.oid, 'select')
$$, 'client roles cannot read partitions directly');

select * from finish();
rollback;
