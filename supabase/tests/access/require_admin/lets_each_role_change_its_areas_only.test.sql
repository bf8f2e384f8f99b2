-- Guarantee access/areas: Administrators act only in the areas of their roles. The role content reads no member, order
-- or balance
-- By: app.role_areas; a function that names no area needs `records`, app.require_admin
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;

-- States a second time which area each administrative function changes, and which areas each role has.
create temporary table expected (function text, area text);
insert into expected values
  ('find_contact', 'records'),
  ('create_article', 'content'), ('create_article_category', 'content'), ('delete_article', 'content'),
  ('delete_article_category', 'content'),
  ('set_article', 'content'), ('set_article_category', 'content'), ('create_product', 'content'),
  ('set_product', 'content'), ('set_on_sale', 'content'),
  ('create_product_category', 'content'), ('set_product_category', 'content'), ('sort_product_categories', 'content'),
  ('delete_product_category', 'content'), ('delete_product', 'content'), ('set_first_page', 'content'), ('upload_picture', 'content'),
  ('deliver_order', 'orders'), ('deliver_orders', 'orders'), ('ship_orders', 'orders'), ('add_parcel', 'orders'),
  ('set_parcel', 'orders'), ('create_carrier', 'orders'), ('set_carrier', 'orders'),
  ('refund_order', 'refunds'), ('refuse_refund', 'refunds'), ('request_return', 'refunds'),
  ('receive_return', 'refunds'), ('dismiss_refund_doubt', 'refunds'),
  ('set_no_assess', 'members'), ('set_spread', 'members'), ('preview_spread', 'members'),
  ('set_agent_level', 'members'), ('dismiss_member_doubt', 'members'), ('record_person_request', 'members'),
  ('answer_person_request', 'members'),
  ('explain_finding', 'money'), ('pay_order_offline', 'money'), ('refuse_payment', 'money'), ('refund_payment', 'money'),
  ('retry_provider_refund', 'money'), ('retry_outbox', 'money'), ('retry_job', 'money'),
  ('create_adjustment', 'money'), ('approve_adjustment', 'money'), ('refuse_adjustment', 'money'),
  ('close_month', 'money'), ('export_bill', 'money'), ('export_liabilities', 'money'), ('export_withdrawals', 'money'),
  ('export_tax', 'money'), ('admin_get_tax', 'money'), ('create_tax_allowance', 'money'),
  ('admin_get_real_name', 'money'), ('read_real_name', 'money'), ('decide_real_name', 'money'),
  ('export_journal', 'money'), ('admin_get_statement_proof', 'money'), ('export_member', 'money'),
  ('get_liabilities', 'money'), ('get_months', 'money'),
  ('approve_withdrawal', 'money'), ('approve_withdrawals', 'money'), ('refuse_withdrawal', 'money'),
  ('mark_withdrawal_paid', 'money'), ('preview_approvals', 'money'),
  ('mark_withdrawal_failed', 'money'), ('create_withdrawal_batch', 'money'), ('preview_withdrawal_batch', 'money'),
  ('mark_withdrawal_batch_paid', 'money'), ('cancel_transfer', 'money'), ('get_withdrawal_batch_rows', 'money'),
  ('set_agent_levels', 'plan'), ('set_brokerage_config', 'plan'),
  ('set_settings', 'system'), ('set_message_settings', 'system'), ('dismiss_first_steps', 'system'),
  ('set_crontab', 'system'), ('run_crontab', 'system'), ('set_own_notices', 'records'),
  ('set_administrator', 'administrators'), ('remove_administrator', 'administrators'),
  ('invite_administrator', 'administrators'), ('withdraw_invitation', 'administrators'),
  ('request_factor_removal', 'administrators'), ('confirm_factor_removal', 'administrators'),
  ('cancel_factor_removal', 'administrators'),
  ('get_machine_keys', 'keys'), ('create_machine_key', 'keys'), ('hand_over_machine_key', 'keys'),
  ('revoke_machine_key', 'keys'),
  ('get_webhooks', 'keys'), ('get_webhook', 'keys'), ('create_webhook', 'keys'), ('set_webhook', 'keys'),
  ('switch_webhook', 'keys'), ('rotate_webhook_secret', 'keys'), ('delete_webhook', 'keys'), ('test_webhook', 'keys'),
  ('get_webhook_deliveries', 'keys'), ('resend_webhook_delivery', 'keys'), ('preview_webhook_replay', 'keys'),
  ('replay_webhook', 'keys');
create temporary table roles (role text, areas text[]);
insert into roles values
  ('owner', '{records, content, orders, refunds, members, money, plan, system, administrators, keys}'),
    ('finance', '{records, refunds, money}'),
  ('service', '{records, orders, refunds, members}'), ('content', '{content}');
-- What every role reads. Whatever else names no area needs records.
create temporary table open_to_all (function text);
insert into open_to_all values
  ('admin_get_product'), ('admin_get_products'), ('admin_get_product_categories'), ('admin_get_first_page'),
    ('get_article'), ('get_articles'), ('get_article_category'), ('get_article_categories'), ('get_own_roles'),
    ('set_own_name'), ('get_settings'), ('search'), ('get_waiting'), ('get_own_notices'), ('get_own_views'),
    ('set_own_views'), ('call_tool');
create temporary table readers as
select p.proname::text as function from pg_proc as p
where p.pronamespace = 'api'::regnamespace and p.prosrc ~ 'app[.]require_admin[(][)]';

create temporary table admins as
select r.role, r.areas, a.id
from roles as r cross join lateral (select pg_temp.administrator() as id, r.role) as a;
update app.administrators as a set roles = array[m.role] from admins as m where m.id = a.auth_id;

select plan(8);

select set_eq(
  $$ select p.proname::text, (regexp_match(p.prosrc, 'app[.]require_admin[(]''([a-z]+)''[)]'))[1] from pg_proc as p
    where p.pronamespace = 'api'::regnamespace and p.prosrc ~ 'app[.]require_admin[(]''' $$,
  $$ select function, area from expected $$,
  'every function that names an area is listed here'
);
select is_empty(
  $$ select p.proname from pg_proc as p
    where p.pronamespace = 'api'::regnamespace and p.prosrc ~ 'app[.]require_admin[(]' and p.provolatile = 'v'
      and p.prosrc ~ 'app[.]record_(\w+_)?action'
      and p.proname not in (select function from expected) and p.proname not in ('set_own_name', 'set_own_views') $$,
  'every function that records an action names its area, except those of one''s own name and views'
);
-- With nulls for all arguments, what is allowed fails for another reason.
create function pg_temp.is_forbidden(p_id uuid, p_function text) returns boolean language sql as $$
  select pg_temp.call(p_id, p_function, (
    select jsonb_object_agg(n.name, null)
    from pg_proc as p cross join lateral unnest(p.proargnames) as n (name)
    where p.pronamespace = 'api'::regnamespace and p.proname = p_function
  )) like 'PT403 forbidden%'
$$;
select is_empty(
  $$ select a.role, e.function from admins as a cross join expected as e
  where pg_temp.is_forbidden(a.id, e.function) = (e.area = any (a.areas)) $$,
  'each role can change its areas and nothing else'
);
select set_eq(
  $$ select p.proname::text from pg_proc as p
  where p.pronamespace = 'api'::regnamespace and p.prosrc ~ 'app[.]require_admin[(]null[)]' $$,
  $$ select function from open_to_all $$,
  'every function that all roles may call is listed here'
);
select is_empty(
  $$ select a.role, o.function from admins as a cross join open_to_all as o
  where pg_temp.is_forbidden(a.id, o.function) $$, 'every role reads what is listed'
);
select cmp_ok((select count(*) from readers), '>', 30::bigint, 'most functions that read name no area');
select is_empty(
  $$ select a.role, r.function from admins as a cross join readers as r
  where pg_temp.is_forbidden(a.id, r.function) = ('records' = any (a.areas)) $$,
  'they answer every role but content'
);
select is_empty(
  $$ select p.proname from pg_proc as p
    where p.pronamespace = 'api'::regnamespace and has_function_privilege('store_admin', p.oid, 'execute')
      and not has_function_privilege('authenticated', p.oid, 'execute') and not p.prosrc ~ 'app[.]require_admin[(]' $$,
  'no function of administrators goes without the check'
);

select * from finish();
rollback;
