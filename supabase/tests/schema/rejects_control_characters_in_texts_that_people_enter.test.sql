begin;
\ir ../support/fixture.psql
select plan(3);

-- A check constraint of the column must reject a control character and a mark of text direction. The columns below hold
-- what the store itself, its operator or a provider writes. A new column of text is protected by a constraint
-- (app.is_line, app.is_text) or listed here.
create function pg_temp.rejects(
  p_expression text, p_table regclass, p_column text, p_code integer
) returns boolean language plpgsql as $$
declare
  v_rejects boolean;
begin
  execute format(
    'select (%s) is false from jsonb_populate_record(null::%s, jsonb_build_object(%L, ''a'' || chr(%s) || ''b'')) as t',
    p_expression, p_table, p_column, p_code
  )
  into v_rejects;
  return v_rejects;
end
$$;
create temporary table texts as
select c.oid::regclass::text as table_name, a.attname::text as column_name, exists (
  select from pg_constraint as k
  where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey) and (
    select bool_and(pg_temp.rejects(pg_get_expr(k.conbin, k.conrelid), c.oid, a.attname, n.code))
    from (values (1), (27), (127), (133), (8206), (8238), (8297)) as n (code)
  )
) as is_protected
from pg_class as c
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and a.atttypid = 'text'::regtype and a.attgenerated = ''
  and not a.attisdropped
where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition;

-- Copies, ids of the store and of providers, what Auth and WeChat report, messages of the store, and what the operator
-- imports or deploys.
create temporary table written as select 'app.' || w.table_name as table_name, unnest(w.columns::text[]) as column_name
  from (values
  ('admin_actions', '{request_id, target_id}'),
  ('event_types', '{description, title, title_zh}'),
  ('events', '{subject, type}'),
  ('explained_findings', '{actual, check_name, expected, subject}'),
  ('function_settings', '{functions_url, project_url}'),
  ('idempotency_keys', '{role}'),
  ('manifest', '{definition, kind, name}'),
  ('imported_bill', '{note, old_id, order_ref, source, title, type}'),
  ('imported_members', '{phone, unionid}'),
  ('imported_openids', '{appid, openid}'),
  ('imported_products', '{old_id}'),
  ('job_runs', '{job, part}'),
  ('message_templates', '{problem}'),
  ('order_lines', '{title}'),
  ('orders', '{order_no}'),
  ('outbox', '{key, last_problem}'),
  ('payment_attempts', '{pay_ref, reason}'),
  ('payment_notifications', '{currency, event_id, order_no, pay_ref, reason}'),
  ('payment_payers', '{openid}'),
  ('posters', '{code_source, fingerprint, share_url}'),
  ('provider_refunds', '{pay_ref, payment_no, provider, provider_ref, reason}'),
  ('release_runs', '{last_error}'),
  ('scheduled_jobs', '{command, preset, schedule, times_count_for, title, title_zh}'),
  ('settings', '{time_zone}'),
  ('settlement_jobs', '{last_error}'),
  ('transfers', '{appid, mchid, openid, package_info, provider_ref}'),
  ('users', '{phone}'),
  ('webhook_deliveries', '{body, message_id, problem, response, type}'),
  ('wechat_accounts', '{appid, email, openid, unionid}'),
  ('wechat_tokens', '{appid, token}'),
  ('withdrawals', '{account_hint}')
) as w (table_name, columns);

select is_empty(
  $$ select t.table_name, t.column_name from texts as t
  where not t.is_protected and t.table_name !~ '^app[.]staged_' except select * from written $$,
  'every text that people enter is protected'
);
select is_empty(
  'select * from written except select t.table_name, t.column_name from texts as t where not t.is_protected',
  'every exception is needed'
);
select ok((select count(*) > 40 from texts where is_protected), 'many are');

select * from finish();
rollback;
