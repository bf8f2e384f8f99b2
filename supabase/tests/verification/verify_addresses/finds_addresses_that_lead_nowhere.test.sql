begin;
\ir ../../support/fixture.psql
select plan(14);

create function pg_temp.severity(p_check text) returns text language sql as $$ select v.severity
  from app.verify_addresses() as v where v.check_id = p_check $$;
create function pg_temp.report(p_url text) returns void language sql as $$
  select from api.report_function_settings(p_url, p_url || '/functions/v1', '[]')
$$;

delete from app.function_settings;
update app.settings set h5_share_url = default;
select is(pg_temp.severity('share_address'), 'warning', 'the share address of a fresh store leads nowhere');
select is((select v.hint from app.verify_addresses() as v where v.check_id = 'share_address'),
  'Set the share link URL on the settings page of the console: the address of the H5 app.',
  'the finding says what to do');
select pg_temp.report('http://127.0.0.1:54321');
select is(pg_temp.severity('share_address'), 'ok', 'in a local stack, a local share address is in order');
select is(
  pg_temp.severity('functions_address'), 'ok', 'in a local stack, a local address of the functions is in order'
);
select pg_temp.report('https://abc.supabase.co');
select is(pg_temp.severity('share_address'), 'error', 'in production, a local share address is an error');
select is(pg_temp.severity('functions_address'), 'ok', 'the functions have a public address');

update app.settings set h5_share_url = 'https://shop.example.com/h5', logo = 'http://localhost:8080/logo.png';
select is(pg_temp.severity('share_address'), 'ok', 'a public share address is in order');
select is(pg_temp.severity('logo_address'), 'error', 'a logo on a local machine is an error');
update app.settings set logo = 'https://localhost.example.com/127.0.0.1.png';
select is(pg_temp.severity('logo_address'), 'ok', 'an address that only looks like a local one is in order');

update app.products set images = '{https://cdn.example.com/a.png}';
select is(pg_temp.severity('product_pictures'), 'ok', 'public pictures are in order');
update app.products set images = '{https://cdn.example.com/a.png, http://[::1]:54321/b.png}' where title = 'Tea';
select is((select array[v.severity, v.message] from app.verify_addresses() as v where v.check_id = 'product_pictures'),
  array['error', 'leads to a local machine, which nobody else can reach: http://[::1]:54321/b.png'],
  'a picture on a local machine is an error and is named');
update app.products set is_del = true where title = 'Tea';
select is(pg_temp.severity('product_pictures'), 'ok', 'pictures of deleted products do not count');

select from api.report_function_settings('https://abc.supabase.co', 'http://127.0.0.1:54321/functions/v1', '[]');
select is(pg_temp.severity('functions_address'), 'error', 'functions in production with a local address are an error');
select results_eq(
  'select check_id from app.verify_agent_config() where check_id = ''share_address''', array['share_address'],
  'the configuration check includes the addresses'
);

select * from finish();
rollback;
