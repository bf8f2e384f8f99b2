begin;
\ir ../../support/fixture.psql
select plan(16);

create function pg_temp.finding(p_subject text) returns text[] language sql as $$
  select array[v.severity, v.message] from app.verify_function_settings() as v where v.subject = p_subject
$$;
create function pg_temp.report(p_url text, variadic p_variables text[]) returns boolean language sql as $$
  select (api.report_function_settings(p_url, p_url || '/functions/v1', to_jsonb(p_variables)) ->> 'kept')::boolean
$$;

delete from app.function_settings;
select is(
  pg_temp.finding('edge functions'), array['warning', 'the edge functions have not reported their settings'],
  'a missing report is a warning'
);
select is(
  (select count(*)::integer from app.verify_function_settings()), 1,
  'without a report, there are no findings about variables'
);

select pg_temp.report('https://abc.supabase.co', 'STORE_WECHAT_MINI_APPID', 'STORE_WORKER_SECRET');
select alike(
  (pg_temp.finding('edge functions'))[2], 'https://abc.supabase.co, reported %', 'the report has a place and a time'
);
select is(
  pg_temp.finding('WeChat mini program'), array['error', 'not set: STORE_WECHAT_MINI_SECRET'],
  'a variable of a feature in use is missing'
);
select is(
  pg_temp.finding('WeChat on web pages'),
  array['warning', 'not in use; not set: STORE_WECHAT_H5_APPID, STORE_WECHAT_H5_SECRET'],
  'a feature without variables is a warning'
);
select is(
  pg_temp.finding('worker'), array['ok', 'all variables of the edge functions are set'],
  'a feature with all variables is in order'
);
select is(
  (select count(*)::integer from app.verify_function_settings() as v where v.hint is null), 0,
  'every finding has a hint'
);

select pg_temp.report('http://127.0.0.1:54321', 'STORE_WECHAT_MINI_APPID');
select is((pg_temp.finding('WeChat on web pages'))[1], 'ok', 'a local stack needs no WeChat');
select is(
  (pg_temp.finding('WeChat mini program'))[1], 'error',
  'half of the settings of WeChat are an error in a local stack, too'
);

select ok(not pg_temp.report('http://127.0.0.1:54321', 'STORE_WECHAT_MINI_APPID'), 'a repeated report changes nothing');
update app.function_settings set reported_at = reported_at - interval '2 hours';
select ok(
  pg_temp.report('http://127.0.0.1:54321', 'STORE_WECHAT_MINI_APPID'), 'a report after an hour updates the time'
);

select is(pg_temp.finding('withdrawals to WeChat'), null, 'WeChat is not needed while members cannot withdraw to it');
update app.settings set withdrawal_methods = '{wechat}';
select alike(
  (pg_temp.finding('withdrawals to WeChat'))[2], 'not set: STORE_WECHAT_PAY_MCHID,%',
  'if they can, the variables of the merchant are needed'
);
select is((pg_temp.finding('withdrawals to WeChat'))[1], 'error', 'also in a local stack');
create function pg_temp.report_merchant(p_url text, variadic p_more text[]) returns boolean language sql as $$
  select pg_temp.report(p_url, variadic array[
    'STORE_WECHAT_PAY_MCHID', 'STORE_WECHAT_PAY_APPIDS', 'STORE_WECHAT_PAY_API_V3_KEY', 'STORE_WECHAT_PAY_SERIAL',
      'STORE_WECHAT_PAY_PRIVATE_KEY',
    'STORE_WECHAT_PAY_PUBLIC_KEYS'
  ] || p_more)
$$;
select pg_temp.report_merchant('https://abc.supabase.co', 'STORE_WORKER_SECRET');
select is(
  pg_temp.finding('withdrawals to WeChat'), array['warning', 'not set: STORE_WECHAT_PAY_API_URL'],
  'hosted functions have no fixed address, and need a relay'
);
select pg_temp.report_merchant('https://abc.supabase.co', 'STORE_WECHAT_PAY_API_URL');
select is((pg_temp.finding('withdrawals to WeChat'))[1], 'ok', 'with a relay, everything is set');

select * from finish();
rollback;
