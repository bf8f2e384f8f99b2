begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
\ir ../../support/signals.psql
\ir ../../support/real_names.psql
select plan(9);

select app.set_settings('{"real_name_from": 100, "real_name_check": "none"}', now());
create temporary table m as select pg_temp.sign_up() as a, pg_temp.sign_up() as b, pg_temp.sign_up() as c,
  pg_temp.sign_up() as d;
-- a, b and d share a document; c has another one.
select pg_temp.give(m.a), pg_temp.give(m.b), pg_temp.give(m.c, jsonb_build_object('p_person', repeat('ef', 32))) from m;
create function pg_temp.shared(p_kind text) returns jsonb language sql as $$
  select jsonb_agg(e - '{id, add_time}'::text[] order by n)
  from jsonb_array_elements(pg_temp.signal_page(p_kind) -> 'list') with ordinality as l (e, n)
$$;
create function pg_temp.member(p_uid bigint) returns jsonb language sql as $$ select jsonb_build_object(
  'uid', p_uid, 'nickname', 'Tester'
) $$;

select is(
  pg_temp.shared('shared_person'),
  (select jsonb_build_array(jsonb_build_object(
    'kind', 'shared_person', 'document', 'id_card', 'name', '张**', 'number', '1****************X', 'members', 2,
    'first_members', jsonb_build_array(pg_temp.member(m.a), pg_temp.member(m.b))
  )) from m), 'a document of two members is listed'
);
select pg_temp.give(m.d) from m;
select is(jsonb_array_length(pg_temp.shared('shared_person')), 1, 'once, whoever else gives it');
select is(pg_temp.shared('shared_person') #>> '{0, members}', '3', 'with all members');
select pg_temp.give(m.a, jsonb_build_object('p_person', repeat('01', 32))) from m;
select is(
  pg_temp.shared('shared_person') #> '{0, first_members, 0}', pg_temp.member(m.b),
  'but those who have given another one'
)
from m;
select is(pg_temp.signal_page('shared_person') ->> 'next_cursor', null, 'on one page');
select is(
  pg_temp.signal_page('shared_person', 1, (select r.id from app.real_names as r, m where r.uid = m.d)) -> 'list', '[]',
  'before its last member, it is not listed'
);

select app.add_payout_account(u.uid, 'bank', 'Chen Jing', '62220212345', 'ICBC', now())
from m, unnest(array[m.a, m.c]) as u (uid);
select app.add_payout_account(m.a, 'bank', 'Chen', '62220212345', 'ICBC', now()),
  app.add_payout_account(m.b, 'alipay', 'Chen Jing', '13800000000', null, now())
from m;
select is(
  pg_temp.shared('shared_account'),
  (select jsonb_build_array(jsonb_build_object(
    'kind', 'shared_account', 'method', 'bank', 'account', '622****2345', 'members', 2, 'first_members',
    jsonb_build_array(pg_temp.member(m.a), pg_temp.member(m.c))
  )) from m), 'an account of two members is listed once, whoever is its holder'
);
select app.delete_payout_account(a.uid, a.id, now()) from app.payout_accounts as a, m where a.uid = m.c;
select is(pg_temp.shared('shared_account'), null, 'one that only one member has is not, however often they added it');
select is(
  pg_temp.call(r.id, 'get_signals', '{"p_kind": "shared_thing"}'), 'PT422 invalid_argument', 'there are no others'
)
from reader as r;
select * from finish();
rollback;
