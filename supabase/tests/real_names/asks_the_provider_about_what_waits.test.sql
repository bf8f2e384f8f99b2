begin;
\ir ../support/fixture.psql
\ir ../support/real_names.psql
grant store_api to postgres;
select plan(10);

create temporary table m as select pg_temp.sign_up() as a, pg_temp.sign_up() as b;
create function pg_temp.asked() returns bigint[] language sql as $$
  select coalesce(array_agg((o.payload ->> 'real_name_id')::bigint order by o.id), '{}') from app.outbox as o
  where o.kind = 'real_name_check'
$$;
create function pg_temp.id(p_uid bigint) returns bigint language sql as $$ select r.id from app.real_names as r
  where r.uid = p_uid $$;

select app.set_settings('{"real_name_from": 100, "real_name_check": "none"}', now());
select is(pg_temp.give(m.a), null, 'a real name that nobody checks') from m;
select is(pg_temp.asked(), '{}', 'is asked about by nobody');
select app.set_settings('{"real_name_check": "provider"}', now());
select is(pg_temp.asked(), array[pg_temp.id(m.a)], 'the provider is asked about it once it checks') from m;
select pg_temp.give(m.b) from m;
select is(pg_temp.asked(), array[pg_temp.id(m.a), pg_temp.id(m.b)], 'and about each that is given from then on') from m;
select is(api.get_real_name_to_check(pg_temp.id(m.a)) ->> 'uid', m.a::text, 'the worker gets the ciphertext') from m;
select api.record_real_name_check(pg_temp.id(m.a), true) from m;
select api.record_real_name_check(pg_temp.id(m.b), false) from m;
select results_eq(
  'select r.state, r.reason, r.decided_by from app.real_names as r order by r.id',
  $$ values ('checked', null::text, null::uuid), ('refused', null, null) $$, 'and records the answer'
);
select is(pg_temp.asked(), '{}', 'after which nothing is asked');
select is(api.get_real_name_to_check(pg_temp.id(m.a)), null, 'what is decided is not asked about') from m;
select api.record_real_name_check(pg_temp.id(m.a), false) from m;
select is((select r.state from app.real_names as r, m where r.uid = m.a), 'checked', 'a second answer changes nothing');
select lives_ok($$ select api.record_real_name_check(999999999, null) $$, 'nor does one about what was replaced');
select * from finish();
rollback;
