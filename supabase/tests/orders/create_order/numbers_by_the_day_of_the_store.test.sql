begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.earn(a) from m;
create function pg_temp.day_of(p_zone text) returns text language plpgsql as $$
declare
  v_id bigint;
begin
  update app.settings set time_zone = p_zone;
  v_id := pg_temp.buy((select a from m), 1, '2026-01-31 17:00:00+00');
  return (select left(o.order_no, 14) from app.orders as o where o.id = v_id);
end $$;
select is(
  pg_temp.day_of('Asia/Shanghai'), '20260201010000', 'the number of an order has the day and time of the store'
);
select is(pg_temp.day_of('America/New_York'), '20260131120000', 'of its time zone');
create temporary table w as select pg_temp.withdraw(a, 100) as id from m;
select matches(
  (select r.withdrawal_no from w join app.withdrawals as r on r.id = w.id),
  '^W' || to_char(now() at time zone 'America/New_York', 'YYYYMMDDHH24MISS'),
  'so has that of a withdrawal'
);

select * from finish();
rollback;
