begin;
\ir ../../support/fixture.psql
select plan(4);

grant store_api to postgres;
select set_config(
  'request.jwt.claims', '{"role": "authenticated", "sub": "00000000-0000-4000-8000-0000000000d3"}', true
);
select matches(
  pg_temp.attempt('store_api', $$ select app.as_service('lead_settlement') $$), '^{"handled": (null|[01])}$',
  'the settlement worker runs'
);
select is(
  current_setting('request.jwt.claims')::jsonb, '{"role": "service_role"}'::jsonb, 'earlier claims are replaced'
);
select matches(
  pg_temp.attempt('store_api', $$ select app.as_service('set_no_assess', '{"p_uid": 1, "p_no_assess": true}') $$),
  '^42501 ', 'functions for administrators are rejected'
);
select matches(
  pg_temp.attempt('authenticated', $$ select app.as_service('lead_settlement') $$), '^42501 ',
  'only the login role of the edge functions may call it'
);

select * from finish();
rollback;
