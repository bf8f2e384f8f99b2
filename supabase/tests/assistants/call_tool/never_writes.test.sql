-- Guarantee privacy/assistants-read: An assistant changes nothing, and each call that answers is recorded
-- By: the transaction only reads after the record, app.call_tool (decision 0142)
begin;
\ir ../../support/fixture.psql
select plan(7);
grant store_api to postgres;
update app.settings set assistants = true;
create temporary table who as select pg_temp.administrator() as id;
-- What a call of a tool answers, and how many are recorded. It is undone, because it lets the rest of its transaction
-- only read.
create function pg_temp.use(p_function text, p_args jsonb default '{}') returns text language plpgsql as $$
declare
  v_answer text;
begin
  select pg_temp.call(
    w.id, 'call_tool', jsonb_build_object('p_tool', 'a_tool', 'p_function', p_function, 'p_args', p_args)
  )
  into v_answer from who as w;
  raise exception using errcode = 'P0099',
    message = format(
      '%s, %s recorded', v_answer, (select count(*) from app.admin_actions as a where a.function = 'call_tool')
    );
exception when sqlstate 'P0099' then
  return sqlerrm;
end
$$;

select matches(
  pg_temp.use('get_settings'), '"site_name": "Store".*, 1 recorded$',
  'a tool runs a function that reads, and is recorded'
);
select is(
  pg_temp.use('set_settings', '{"p_site_name": "Shop"}'), 'PT403 forbidden, 0 recorded', 'it runs none that writes'
);
select is(pg_temp.use('create_machine_key'), 'PT403 forbidden, 0 recorded', 'whatever it writes');
-- A function that says that it reads, and calls one that writes.
create function app.careless() returns jsonb language plpgsql volatile security definer set search_path = pg_catalog,
  pg_temp as $$
begin
  update app.settings set site_name = 'Careless';
  return '{}';
end $$;
create or replace function api.get_settings() returns jsonb language plpgsql stable set search_path = pg_catalog,
  pg_temp as $$ begin return app.careless(); end $$;
grant execute on function app.careless() to store_admin;
select is(pg_temp.call(id, 'get_settings'), '{}', 'elsewhere, Postgres lets it pass') from who;
select is((select site_name from app.settings), 'Careless', 'and it writes');
update app.settings set site_name = 'Store';
select matches(pg_temp.use('get_settings'), '^25006 .*, 0 recorded$', 'in a tool, Postgres refuses it');
select is((select site_name from app.settings), 'Store', 'and nothing is written');

select * from finish();
rollback;
