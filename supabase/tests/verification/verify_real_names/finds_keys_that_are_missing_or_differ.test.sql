begin;
\ir ../../support/fixture.psql
\ir ../../support/real_names.psql
grant store_api to postgres;
select plan(8);

create function pg_temp.finding(p_subject text) returns text[] language sql as $$
  select array[v.severity, v.message] from app.verify_real_names() as v where v.subject = p_subject
$$;
create function pg_temp.report(variadic p_variables text[]) returns boolean language sql as $$
  select (
    api.report_function_settings(
      'https://abc.supabase.co', 'https://abc.supabase.co/functions/v1', to_jsonb(p_variables)
    ) ->> 'kept'
  )::boolean
$$;

select pg_temp.report('STORE_WORKER_SECRET');
select is_empty(
  'select from app.verify_real_names()', 'while the store asks for no real names and has none, there is nothing to say'
);
select app.set_settings('{"real_name_from": 500, "real_name_check": "administrator"}', now());
select is(
  pg_temp.finding('real names'), array['error', 'not set: STORE_REAL_NAME_KEY, STORE_REAL_NAME_INDEX_KEY'],
  'once it asks for them, both keys are needed'
);
select pg_temp.report('STORE_REAL_NAME_KEY', 'STORE_REAL_NAME_INDEX_KEY');
select is((pg_temp.finding('real names'))[1], 'ok', 'and suffice');
select app.set_settings('{"real_name_check": "provider"}', now());
select is(
  pg_temp.finding('real names'), array['error', 'not set: STORE_REAL_NAME_CHECK_URL, STORE_REAL_NAME_CHECK_TOKEN'],
  'unless a provider checks, whose address is needed, too'
);

create temporary table m as select pg_temp.sign_up() as uid from generate_series(1, 2);
select is(pg_temp.give((select min(uid) from m)), null, 'a member gives a real name');
select is((pg_temp.finding('keys of real names'))[1], 'ok', 'with one key, it is in order');
select pg_temp.give((select max(uid) from m), jsonb_build_object('p_key_id', repeat('f', 16)));
select is(
  pg_temp.finding('keys of real names'), array['warning', 'real names have 2 different keys or indexes'],
  'with two, keys are being replaced, or one is wrong'
);
select is(
  (select count(*)::integer from app.verify_real_names() as v where v.hint is null), 0, 'every finding has a hint'
);

select * from finish();
rollback;
