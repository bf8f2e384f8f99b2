create or replace function app.verify_function_settings()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with features (subject, variables) as (
    values
      ('WeChat mini program', array['STORE_WECHAT_MINI_APPID', 'STORE_WECHAT_MINI_SECRET']),
      ('WeChat on web pages', array['STORE_WECHAT_H5_APPID', 'STORE_WECHAT_H5_SECRET']),
      ('WeChat Pay', array[
        'STORE_WECHAT_PAY_MCHID', 'STORE_WECHAT_PAY_APPIDS', 'STORE_WECHAT_PAY_API_V3_KEY', 'STORE_WECHAT_PAY_SERIAL',
        'STORE_WECHAT_PAY_PRIVATE_KEY', 'STORE_WECHAT_PAY_PUBLIC_KEYS'
      ]),
      ('worker', array['STORE_WORKER_SECRET'])
  ),
  states as (
    select f.subject, s.variables, app.is_loopback_address(s.project_url) as is_local, cardinality(f.variables) as wanted, m.names, m.total
    from app.function_settings as s cross join features as f
    cross join lateral (
      select string_agg(v.name, ', ' order by v.position) as names, count(*) as total
      from unnest(f.variables) with ordinality as v (name, position) where v.name <> all (s.variables)
    ) as m
  )
  select 'functions_have_reported', case when s.id is null then 'warning' else 'ok' end, 'edge functions',
    case when s.id is null then 'the edge functions have not reported their settings' else format('%s, reported %s', s.project_url, app.utc(s.reported_at)) end,
    'Deploy the edge functions and call GET /api/health. If they run, their log says why they could not report.'
  from (values (true)) as one (id) left join app.function_settings as s on s.id = one.id
  union all
  select 'function_settings',
    case when s.total = 0 or (s.total = s.wanted and s.is_local) then 'ok' when s.total = s.wanted then 'warning' else 'error' end,
    s.subject,
    case
      when s.total = 0 then 'all variables of the edge functions are set'
      when s.total = s.wanted then format('not in use; not set: %s', s.names)
      else format('not set: %s', s.names)
    end,
    case
      when s.subject = 'worker' then 'Set the variable as docs/operations.md describes. Without it, refunds and other calls to payment providers wait.'
      else 'Set these variables as functions/README.md describes. If the members do not use this feature, remove all of its variables.'
    end
  from states as s
  union all
  select 'transfers_to_wechat',
    case when s.total > 0 then 'error' when not s.is_local and 'STORE_WECHAT_PAY_API_URL' <> all (s.variables) then 'warning' else 'ok' end,
    'withdrawals to WeChat',
    case
      when s.total > 0 then format('not set: %s', s.names)
      when not s.is_local and 'STORE_WECHAT_PAY_API_URL' <> all (s.variables) then format('not set: %s', 'STORE_WECHAT_PAY_API_URL')
      else 'all variables of the edge functions are set'
    end,
    'WeChat transfers only at the request of registered addresses: follow docs/deploy.md, "Withdrawals to WeChat", or remove WeChat from the ways to withdraw.'
  from states as s join app.settings as t on 'wechat' = any (t.withdrawal_methods)
  where s.subject = 'WeChat Pay'
$$;

comment on function app.verify_function_settings is
  'Checks the variables of the edge functions, as far as the functions have reported them: those of a feature are either all set '
  'or none. A feature without any is a warning, and no finding in a local stack. If members can withdraw to WeChat, its variables are needed, '
  'and on a hosted project the address of a relay.';
