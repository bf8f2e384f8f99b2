-- Guarantee operation/manifest: A trigger, policy, constraint or privilege that is off, weakened or added, or a setting
-- that switches triggers off, is reported: by configuration check and doctor at once, by health within an hour
-- By: app.manifest_differences (decision 0067)
begin;
\ir ../../support/fixture.psql
select plan(40);

-- What the check says after a change, which is undone at once.
create function pg_temp.found(p_change text) returns text language plpgsql as $$
declare
  v_found text;
begin
  begin
    execute p_change;
    select string_agg(format('%s %s', v.severity, v.subject), ', ' order by v.subject) into v_found
    from app.verify_manifest() as v;
    raise exception sqlstate 'PT000' using message = v_found;
  exception when sqlstate 'PT000' then
    return sqlerrm;
  end;
end
$$;

select is(pg_temp.found(c.change), c.finding, c.change) from (values
  ('alter table app.orders disable trigger user', (
    select string_agg(format('error trigger app.orders.%s', t.tgname), ', ' order by t.tgname) from pg_trigger as t
    where t.tgrelid = 'app.orders'::regclass and not t.tgisinternal
  )),
  (
    'alter table app.user_bill disable trigger bill_rows_are_never_changed',
    'error trigger app.user_bill.bill_rows_are_never_changed'
  ),
  (
    'drop trigger bill_rows_are_never_changed on app.user_bill',
    'error trigger app.user_bill.bill_rows_are_never_changed'
  ),
  (
    'do $do$ begin execute format(''drop trigger it_is_never_emptied on %s'', (select max(i.inhrelid::regclass::text) from pg_inherits as i where i.inhparent = ''app.user_bill''::regclass and i.inhrelid::regclass::text !~ ''default'')); end $do$',
    'error trigger app.user_bill.it_is_never_emptied'
  ),
  (
    'create trigger added before insert on app.orders for each row execute function app.reject_change()',
    'error trigger app.orders.added'
  ),
  ('create rule swallowed as on delete to app.users do instead nothing', 'error rule app.users.swallowed'),
  ('alter table app.users disable row level security', 'error table app.users'),
  ('drop policy admins_read_manifest on app.manifest', 'error policy app.manifest.admins_read_manifest'),
  ('create policy added on app.users for select to anon using (true)', 'error policy app.users.added'),
  (
    'alter policy admins_read_manifest on app.manifest to store_admin, anon',
    'error policy app.manifest.admins_read_manifest'
  ),
  ('grant select on app.users to anon', 'error privilege select on table app.users to anon'),
  ('grant select (phone) on app.users to public', 'error privilege select on column phone of app.users to public'),
  (
    'do $do$ begin execute format(''grant select on %s to anon'', (select max(i.inhrelid::regclass::text) from pg_inherits as i where i.inhparent = ''app.user_bill''::regclass and i.inhrelid::regclass::text !~ ''default'')); end $do$',
    'error privilege select on table each partition of app.user_bill to anon'
  ),
  ('grant usage on schema compacted to anon', 'error privilege usage on schema compacted to anon'),
  (
    'revoke execute on function api.admin_get_user(bigint, timestamptz) from store_admin',
    'error privilege execute on function api.admin_get_user(bigint,timestamp with time zone) to store_admin'
  ),
  (
    'grant execute on function app.settle_order(bigint, timestamptz) to authenticated',
    'error privilege execute on function app.settle_order(bigint,timestamp with time zone) to authenticated'
  ),
  (
    'alter default privileges grant execute on functions to public',
    'error privilege execute on functions that are created to public'
  ),
  ('grant service_role to authenticated', 'error role authenticated'),
  (
    'alter table app.withdrawals drop constraint withdrawals_withdrawal_no_key',
    'error constraint app.withdrawals.withdrawals_withdrawal_no_key'
  ),
  (
    'alter table app.manifest_checks drop constraint differences_are_not_negative, add constraint differences_are_not_negative check (differences >= 0) not valid',
    'error constraint app.manifest_checks.differences_are_not_negative'
  ),
  ('alter table app.orders alter column uid drop not null', 'error column app.orders.uid'),
  (
    'alter function app.as_caller(jsonb, text, jsonb, text, text) security definer',
    'error function app.as_caller(jsonb,text,jsonb,text,text)'
  ),
  (
    'alter function app.health_json(timestamptz) reset search_path',
    'error function app.health_json(timestamp with time zone)'
  ),
  ('drop index app.orders_uid_idx', 'warning index app.orders_uid_idx'),
  ('drop index app.orders_payment_is_used_once', 'error unique index app.orders_payment_is_used_once'),
  (
    'alter table app.level_changes drop constraint nobody_on_hold_rises, add constraint nobody_on_hold_rises check (reason <> ''tasks'' or not from_held or to_held)',
    'error constraint app.level_changes.nobody_on_hold_rises'
  ),
  (
    'alter function app.decide_alone(text, numeric, numeric, uuid, bigint, timestamptz) strict',
    'error function app.decide_alone(text,numeric,numeric,uuid,bigint,timestamp with time zone)'
  ),
  ('alter function app.health_json(timestamptz) immutable', 'error function app.health_json(timestamp with time zone)'),
  (
    'do $do$ begin execute ''create or replace view app.taken_places with (security_invoker = true) as '' || replace(pg_get_viewdef(''app.taken_places''::regclass), ''UNION ALL'', ''UNION''); end $do$',
    'error view app.taken_places'
  ),
  ('alter view app.taken_places set (security_invoker = false)', 'error view app.taken_places'),
  ('alter role service_role login', 'error role service_role'),
  ('alter role store_admin inherit', 'error role store_admin'),
  ('alter role anon createrole', 'error role anon'),
  ('alter role store_api set session_replication_role = replica', 'error setting of store_api'),
  (
    'do $do$ begin execute format(''alter database %I set session_replication_role = replica'', current_database()); end $do$',
    'error setting of every role in this database'
  ),
  (
    'do $do$ begin execute format(''alter role postgres in database %I set session_replication_role = replica'', current_database()); end $do$',
    'error setting of postgres in this database'
  ),
  ('alter role store_api set statement_timeout = ''20s''', 'ok database'),
  ('create table app.beside (id bigint primary key)', 'ok database')
) as c (change, finding);

select is(
  (select format('%s | %s', v.message, v.hint) from app.verify_manifest() as v),
  format('%s objects are as the migrations created them | ', (select count(*) from app.manifest)),
  'every change above is undone'
);
revoke execute on function api.get_health() from anon;
select is(
  (select v.hint from app.verify_manifest() as v),
  'Run as the owner of the store: grant execute on function api.get_health() to anon',
  'the advice is the statement that mends it'
);

select * from finish();
rollback;
