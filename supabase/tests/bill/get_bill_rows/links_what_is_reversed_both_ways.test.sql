begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(3);

create temporary table admins as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.reporter() as uid;
create temporary table o as select pg_temp.report(pg_temp.sign_up(m.uid::text), 2) as id from m;
create temporary table l as select l.id from app.order_lines as l join o on o.id = l.order_id;
select
from app.refund_order(
  (select id from o), (select jsonb_build_array(jsonb_build_object('line_id', id, 'quantity', 1)) from l), 'first',
  now()
);
select
from app.refund_order(
  (select id from o), (select jsonb_build_array(jsonb_build_object('line_id', id, 'quantity', 1)) from l), 'second',
  now()
);

create temporary table rows as
select e
from admins as a,
  jsonb_array_elements(
    pg_temp.call(a.id, 'get_bill_rows', jsonb_build_object('p_uid', (select uid from m)))::jsonb -> 'list'
  ) as e;
create temporary table grants as select e from rows where e ->> 'type' = 'brokerage';

select is(
  (
    select array_agg(r.e -> 'id' order by (r.e ->> 'id')::bigint) from rows as r, grants as g
    where r.e -> 'reverses_id' = g.e -> 'id'
  ),
  (select array_agg(x) from grants as g, jsonb_array_elements(g.e -> 'reversed_by') as x),
  'a grant names the rows that reverse it, and they name it'
);
select is((select jsonb_array_length(e -> 'reversed_by') from grants), 2, 'each of two refunds has reversed a part');
select ok(
  (select bool_and(e -> 'reversed_by' = '[]') from rows where e ->> 'reverses_id' is not null),
  'nothing reverses a reversal'
);

select * from finish();
rollback;
