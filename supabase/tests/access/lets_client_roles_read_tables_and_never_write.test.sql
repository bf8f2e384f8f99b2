-- Guarantee access/privileges
begin;
\ir ../support/fixture.psql
select plan(9);

-- Who may read which table, by rules: administrators, machine keys and the edge functions read every table but personal
-- and secret ones, members and visitors only what is listed. They read those of its rows that a policy lets them.
create temporary table read_by_nobody (name) as values
  ('idempotency_keys'), ('imported_members'), ('imported_openids'), ('payment_payers'), ('payout_accounts'),
    ('real_names'), ('staged_bill'), ('staged_members'),
  ('invitations'), ('hourly_counts'), ('machine_keys'), ('webhooks'), ('webhook_deliveries'), ('webhook_position'),
  ('staged_openids'), ('staged_order_lines'), ('staged_orders'), ('staged_products'), ('staged_refunds'), ('transfers'),
  ('unproved_passwords'),
  ('wechat_accounts'), ('wechat_tokens');
create temporary table read_by_visitors (name) as values
  ('article_categories'), ('article_pool'), ('articles'), ('banners'), ('featured_products'), ('product_categories'),
    ('products'), ('settings');
create temporary table read_by_members (name) as values
  ('agent_level_tasks'), ('agent_levels'), ('carriers'), ('commission_maturities'), ('compacted_releases'),
    ('commission_plans'), ('events'), ('level_changes'), ('month_seals'),
  ('order_lines'), ('orders'), ('parcels'), ('points_release_log'), ('provider_refunds'), ('refund_lines'), ('refunds'),
  ('release_runs'), ('settlements'),
  ('person_requests'), ('tax_withholdings'), ('user_balances'), ('user_bill'), ('users'), ('withdrawals');

create temporary table tables as
select c.oid as id, c.relname::text as name
from pg_class as c
where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition;
create temporary table expected as
select t.id, t.name, r.role, case
  when t.name in (select n.name from read_by_nobody as n) then false
  -- An address book is personal: administrators see only what an order has copied from it.
  when t.name = 'addresses' then r.role = 'service_role'
  when t.name in (select v.name from read_by_visitors as v) then r.role <> 'store_api'
  when t.name in (select m.name from read_by_members as m) then r.role in (
    'authenticated', 'store_admin', 'store_key', 'service_role'
  )
  else r.role in ('store_admin', 'store_key', 'service_role')
end as may_read
from tables as t
cross join (
  values ('anon'), ('authenticated'), ('store_admin'), ('store_key'), ('service_role'), ('store_api')
) as r (role);

create function pg_temp.differences() returns table (difference text) language sql as $$
  select case when e.may_read then 'missing' else 'granted' end || ': ' || e.name || ' to ' || e.role
  from expected as e
  where has_table_privilege(e.role, e.id, 'select') <> e.may_read
$$;
-- What is found while a change is in force. The change is undone.
create function pg_temp.differences_after(p_change text) returns text language plpgsql as $$
declare
  v_found text;
begin
  execute p_change;
  select string_agg(d.difference, ', ' order by d.difference collate "C") into v_found from pg_temp.differences() as d;
  raise exception using errcode = 'P0099', message = coalesce(v_found, 'nothing');
exception when sqlstate 'P0099' then
  return sqlerrm;
end
$$;

select is_empty(
  'select difference from pg_temp.differences()', 'each table is read by the roles that need it, and by no other'
);
select is_empty($$
  select name from read_by_nobody union all select name from read_by_visitors union all select name
  from read_by_members except select name from tables
$$, 'each table that is listed exists');
select is(pg_temp.differences_after(change), difference, name)
from (values
  ('a grant to visitors is found', 'grant select on app.user_bill to anon', 'granted: user_bill to anon'),
  (
    'a grant to members is found', 'grant select on app.admin_actions to authenticated',
    'granted: admin_actions to authenticated'
  ),
  (
    'a grant to administrators is found', 'grant select on app.payout_accounts to store_admin',
    'granted: payout_accounts to store_admin'
  ),
  ('a grant to the login role is found', 'grant select on app.settings to store_api', 'granted: settings to store_api'),
  ('a missing grant is found', 'revoke select on app.orders from authenticated', 'missing: orders to authenticated')
) as c (name, change, difference);

select is_empty($$
  select r, c.relname from pg_class as c
  cross join unnest(array['anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api']) as r
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p')
    and has_table_privilege(r, c.oid, 'insert, update, delete, truncate, references, trigger')
$$, 'no client role writes a table');
select is_empty($$
  select r, c.relname from pg_class as c
  cross join unnest(array['anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api']) as r
  where c.relnamespace = 'app'::regnamespace and c.relispartition and c.relkind in ('r', 'p')
    and has_table_privilege(r, c.oid, 'select')
$$, 'client roles cannot read partitions directly');

select * from finish();
rollback;
