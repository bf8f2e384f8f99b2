begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(9);

create temporary table a as select pg_temp.administrator() as id;
create function pg_temp.ask(
  p_function text, p_args jsonb
) returns text language sql as $$ select pg_temp.call(a.id, p_function, p_args)
  from a $$;

select is(
  pg_temp.ask('get_carriers', '{}')::jsonb -> 'list' -> 0 ->> 'code', 'DBL', 'a new store has the large carriers'
);
select is(
  pg_temp.ask(
    'create_carrier',
    '{"p_code": "PONY", "p_name": "Pony Express", "p_name_zh": "小马快递", "p_tracking_url": "https://example.com/{number}"}'
  )::jsonb ->> 'is_active',
  'true', 'a carrier is added'
);
select is(
  pg_temp.ask('create_carrier', '{"p_code": "PONY", "p_name": "P", "p_name_zh": "P"}'), 'PT422 invalid_argument',
  'a code is used once'
);
select is(
  pg_temp.ask('create_carrier', '{"p_code": "P", "p_name": "pony express", "p_name_zh": "P"}'),
  'PT422 invalid_argument', 'and so is a name, in any case'
);
select is(
  pg_temp.ask('create_carrier', '{"p_code": "p p", "p_name": "P", "p_name_zh": "P"}'), 'PT422 invalid_argument',
  'a code has capital letters and digits'
);
select is(
  pg_temp.ask('set_carrier', '{"p_code": "PONY", "p_tracking_url": "https://example.com/"}'), 'PT422 invalid_argument',
  'a tracking address has a place for the number'
);
select is(
  pg_temp.ask('set_carrier', '{"p_code": "PONY", "p_tracking_url": "javascript:alert({number})"}'),
  'PT422 invalid_argument', 'and leads to a web page'
);
select is(
  pg_temp.ask(
    'set_carrier', '{"p_code": "PONY", "p_tracking_url": "", "p_is_active": false}'
  )::jsonb - 'code' - 'name' - 'name_zh',
  '{"tracking_url": null, "is_active": false}', 'it is changed, and its address removed'
);
select is(
  pg_temp.ask('set_carrier', '{"p_code": "NONE", "p_is_active": false}'), 'PT404 carrier_not_found',
  'an unknown one is rejected'
);

select * from finish();
rollback;
