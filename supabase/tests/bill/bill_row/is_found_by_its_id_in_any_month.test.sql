begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(5);

create temporary table admins as select pg_temp.administrator() as id;
create temporary table m as select pg_temp.sign_up() as uid;
select pg_temp.create_partition('user_bill', '2025-03-01');
insert into app.user_bill (
  uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
)
select m.uid, 'points_returned', 'checkout', 1, o.id, 0, 0, 1, t from m
cross join lateral (select pg_temp.buy(m.uid) as id) as o
cross join unnest(array['2025-03-05Z', '2026-10-05Z']::timestamptz[]) as t;
create temporary table rows as select b.id, b.add_time from app.user_bill as b join m on m.uid = b.uid;
create function pg_temp.row(p_id bigint) returns text language sql as $$
  select pg_temp.call(a.id, 'get_bill_row', jsonb_build_object('p_id', p_id)) from admins as a
$$;

select is(
  array(select (app.bill_row(id)).add_time from rows order by id), array['2025-03-05Z', '2026-10-05Z']::timestamptz[],
  'a row of each month is found'
);
select is(pg_temp.row((select min(id) from rows))::jsonb ->> 'nickname', 'Tester', 'with its member');
select is(pg_temp.row(999999999), 'PT404 bill_row_not_found', 'an unknown row is named as such');

insert into app.user_bill (
  uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
)
select m.uid, 'points_returned', 'checkout', 1, o.id, 0, 0, 1, '2025-03-06Z'::timestamptz + g * interval '1 second'
from m cross join lateral (select pg_temp.buy(m.uid) as id) as o cross join generate_series(1, 30000) as g;
analyze app.user_bill;
-- The query of the function, planned like in the function: without the id that is searched for.
prepare find(bigint) as select b from app.user_bill as b where b.id = $1;
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
create function pg_temp.plan() returns setof text language plpgsql as $$
begin
  return query execute 'explain (costs off) execute find(12345)';
end $$;
select is((select count(*) from pg_temp.plan() as p where p ~ 'Seq Scan'), 0::bigint, 'no month is scanned');
select ok(
  (select bool_or(p ~ 'Bitmap Index Scan on user_bill_202503_id_idx') from pg_temp.plan() as p),
  'a month with many rows is read by its summaries'
);

select * from finish();
rollback;
