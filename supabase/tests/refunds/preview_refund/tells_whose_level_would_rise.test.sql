begin;
\ir ../../support/fixture.psql
select plan(9);

-- Three direct orders make grade 1. Of A's, the first has a request for one of two units, and the other two count.
create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n, pg_temp.buy(pg_temp.sign_up((select a::text from m)), 2) as id
  from generate_series(1, 3) as n;
create function pg_temp.lines(p_units integer) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', p_units)) from app.order_lines as l
  join o on o.id = l.order_id where o.n = 1
$$;
create function pg_temp.rises(p_preview jsonb) returns text language sql as $$
  select string_agg(
    concat_ws(
      ' ', case when (r.value ->> 'uid')::bigint = m.a then 'A' end, r.value ->> 'from_level', r.value ->> 'to_level'
    ),
    ', '
  )
  from m, jsonb_array_elements(p_preview -> 'rises') as r
$$;
select app.settle_order(id, now()) from o where n = 1;
select app.request_refund(id, pg_temp.lines(1), 'one too many', now()) from o where n = 1;
select app.settle_order(id, now()) from o where n > 1 order by n;
select is(
  (select agent_level::integer from app.users join m on uid = a), 0, 'while the request is open, two orders count'
);

select is(
  pg_temp.rises(app.preview_refund(id, null, now())), 'A 0 1',
  'the answer leaves a unit, so the order counts again and raises'
)
from o where n = 1;
select is(pg_temp.rises(app.preview_refund(id, pg_temp.lines(2), now())), null, 'a refund of all units raises nobody')
from o where n = 1;
select is(
  pg_temp.rises(app.preview_refund(id, pg_temp.lines(1), now(), p_answers_request => false)), null,
  'nor does one that leaves the request open'
)
from o where n = 1;
select is(pg_temp.rises(app.preview_refusal(id)), 'A 0 1', 'the refusal of the request would raise, too') from o
where n = 1;
select is(app.preview_refusal(id) -> 'counts' -> 0 -> 'after' ->> 'direct_orders', '3', 'because the order counts')
from o where n = 1;
select is((select agent_level::integer from app.users join m on uid = a), 0, 'the previews change nothing');
select throws_ok(
  'select app.preview_refusal(id) from o where n = 2', 'PT404', 'refund_not_found',
  'without a request there is nothing to refuse'
);
select app.refuse_refund(id, now()) from o where n = 1;
select is((select agent_level::integer from app.users join m on uid = a), 1, 'the refusal does what was foreseen');

select * from finish();
rollback;
