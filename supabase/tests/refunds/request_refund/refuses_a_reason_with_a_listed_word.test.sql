begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table o as select pg_temp.report(pg_temp.sign_up(), 2) as id;
select from app.set_settings('{"refused_words": ["casino"]}', now());
select throws_ok(
  'select app.request_refund(id, null, ''your Casi no'', now()) from o', 'PT422', 'text_not_allowed',
  'a reason with the word is refused'
);
select is((select count(*)::integer from app.refunds as r, o where r.order_id = o.id), 0, 'and nothing is requested');
select lives_ok('select app.request_refund(id, null, ''broken'', now()) from o', 'another reason is taken');
select is((select r.reason from app.refunds as r, o where r.order_id = o.id), 'broken', 'as it was written');

select * from finish();
rollback;
