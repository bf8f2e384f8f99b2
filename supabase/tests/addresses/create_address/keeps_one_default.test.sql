begin;
\ir ../../support/fixture.psql
select plan(12);
grant store_api to postgres;

create temporary table new as select pg_temp.sign_up() as uid from generate_series(1, 2);
create temporary table m as select u.uid, u.auth_id from app.users as u join new on new.uid = u.uid;
create function pg_temp.as_member(
  p_number integer, p_function text, p_args jsonb default '{}'
) returns text language sql as $$
  select pg_temp.call(
    (select m.auth_id from m order by m.uid offset p_number - 1 limit 1), p_function, p_args, 'authenticated'
  )
$$;
create function pg_temp.address(p_name text, p_more jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object(
    'p_address',
    jsonb_build_object('name', p_name, 'phone', '13800000000', 'region', '["广东省"]'::jsonb, 'street', 'Street 1')
  )
    || p_more
$$;
create function pg_temp.id_of(p_name text) returns jsonb language sql as $$
  select jsonb_build_object('p_id', x.id) from app.addresses as x where x.address ->> 'name' = p_name
$$;
create function pg_temp.names() returns text language sql as $$
  select string_agg((x ->> 'name') || case when (x ->> 'is_default')::boolean then '*' else '' end, ' ')
  from jsonb_array_elements(pg_temp.as_member(1, 'get_addresses')::jsonb) as x
$$;

select is(
  pg_temp.as_member(1, 'create_address', pg_temp.address('One'))::jsonb ->> 'is_default', 'true',
  'the first address is the default'
);
select is(
  pg_temp.as_member(1, 'create_address', pg_temp.address('Two'))::jsonb ->> 'is_default', 'false',
  'the second address is not the default'
);
select is(
  pg_temp.as_member(1, 'create_address', pg_temp.address('Three', '{"p_is_default": true}'))::jsonb ->> 'is_default',
  'true', 'a new address can be made the default'
);
select is(pg_temp.names(), 'Three* Two One', 'the list begins with the default and continues with the newest');
select pg_temp.as_member(1, 'set_address', pg_temp.address('One', pg_temp.id_of('One') || '{"p_is_default": true}'));
select is(pg_temp.names(), 'One* Three Two', 'another address can become the default');
select matches(
  pg_temp.as_member(2, 'set_address', pg_temp.address('Mine', pg_temp.id_of('One'))), 'PT404 address_not_found',
  'nobody changes the address of somebody else'
);
select matches(
  pg_temp.as_member(2, 'delete_address', pg_temp.id_of('One')), 'PT404 address_not_found',
  'nobody deletes the address of somebody else'
);
select is(pg_temp.as_member(2, 'get_addresses'), '[]', 'nobody reads the address of somebody else');
select pg_temp.as_member(1, 'delete_address', pg_temp.id_of('One'));
select is(pg_temp.names(), 'Three* Two', 'after the default is deleted, the newest of the others is the default');
select matches(
  pg_temp.as_member(1, 'delete_address', '{"p_id": 1000000}'), 'PT404 address_not_found',
  'an unknown address is not found'
);
insert into app.addresses (uid, address) select (select min(uid) from m), x.address
from app.addresses as x, generate_series(1, 48) where x.address ->> 'name' = 'Two';
select matches(
  pg_temp.as_member(1, 'create_address', pg_temp.address('Too many')), 'PT409 too_many_addresses',
  'a member has at most 50 addresses'
);
delete from auth.users where id = (select auth_id from m order by uid limit 1);
select is_empty('select from app.addresses as x, m where x.uid = m.uid', 'a deleted account has no addresses');

select * from finish();
rollback;
