begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
create temporary table p as select app.preview_refund(id, null, now()) as preview from o;
select is(preview ->> 'amount', '3600.00', 'the preview has the amount') from p;
select is(preview -> 'reopened_place' ->> 'place', '1', 'the preview has the freed place') from p;
select is(jsonb_array_length(preview -> 'reversals'), 2, 'the preview has the reversals') from p;
select is((pg_temp.balances((select a from m))).brokerage_price, 720.00, 'the preview changes nothing');

create temporary table middle as select pg_temp.sign_up((select a::text from m)) as uid;
create temporary table below as select pg_temp.report(pg_temp.sign_up((select uid::text from middle))) as id;
select is(
  (
    select array_agg((c.value ->> 'uid')::bigint order by c.place)
    from below,
      jsonb_array_elements(app.preview_refund(below.id, null, now()) -> 'counts') with ordinality as c (value, place)
  ),
  array[m.a, middle.uid], 'the members whose task counts would change are listed by uid'
) from m, middle;

select * from finish();
rollback;
