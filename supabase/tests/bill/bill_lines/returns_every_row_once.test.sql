begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.sign_up() as uid;
-- A chunk ends between rows of the same time.
insert into app.user_bill (
  uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
)
select m.uid, 'points_returned', 'checkout', 1, o.id, 0, 0, n.n,
  '2026-10-05T00:00:00Z'::timestamptz + n.n / 10 * interval '1 second'
from m cross join lateral (select pg_temp.buy(m.uid) as id) as o cross join generate_series(1, 2005) as n (n);

create function pg_temp.chunks(p_uid bigint) returns table (size integer, lines jsonb) language plpgsql as $$
declare
  v_chunk jsonb := app.bill_lines(p_uid, '2026-10-01Z', '2026-11-01Z', null);
begin
  loop
    return query select jsonb_array_length(v_chunk -> 'lines'), v_chunk -> 'lines';
    exit when v_chunk ->> 'next_cursor' is null;
    v_chunk := app.bill_lines(p_uid, '2026-10-01Z', '2026-11-01Z', v_chunk ->> 'next_cursor');
  end loop;
end
$$;
create temporary table c as select row_number() over () as chunk, s.* from m, pg_temp.chunks(m.uid) as s;
create temporary table l as select e.line from c cross join lateral jsonb_array_elements(c.lines) as e (line);

select is(array(select size from c order by chunk), '{1000,1000,5}', 'a chunk has at most a thousand rows');
select is((select count(distinct line ->> 'id') from l), 2005::bigint, 'the chunks have each row once');
select is(
  (select sum((line ->> 'available')::numeric) from l), 2005::numeric, 'the lines have the amounts of the rows'
);
select is(
  (select line ->> 'time' from l limit 1), '2026-10-05 08:00:00+08:00',
  'times are in the time zone of the store, with its offset'
);
select is(
  (select sum(size) from pg_temp.chunks(null)),
  (select count(*) from app.user_bill where add_time >= '2026-10-01Z' and add_time < '2026-11-01Z'),
  'the bill of all members has all rows'
);

select * from finish();
rollback;
