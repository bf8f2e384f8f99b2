begin;
\ir ../../support/fixture.psql
select plan(10);

create temporary table o as select pg_temp.buy(pg_temp.sign_up()) as id;
update app.settlement_jobs set attempts = 7 where order_id = (select id from o);
create function pg_temp.postpone(p_sqlstate text) returns text language plpgsql as $$
begin
  perform app.postpone_job(id, p_sqlstate, 'for the test', '2026-01-02 03:04:05+00') from o;
  return (
    select concat_ws(' ', j.state, j.attempts, j.run_after - '2026-01-02 03:04:05+00', j.last_error)
    from app.settlement_jobs as j, o where j.order_id = o.id
  );
end $$;
select is(pg_temp.postpone(e.sqlstate), format('waiting 7 00:00:10 %s: for the test', e.sqlstate), e.what) from (values
  ('53100', 'a full disk'), ('53200', 'no memory'), ('53300', 'too many connections'), ('57P01', 'a shutdown'),
    ('57014', 'a cancelled statement'),
  ('40001', 'a serialization failure'), ('40P01', 'a deadlock'), ('55P03', 'a lock that was not given in time')
) as e (sqlstate, what);
select app.postpone_job(id, 'PT409', 'month_closed', '2026-01-02 03:04:05+00') from o;
select is(
  (select state || ' ' || attempts from app.settlement_jobs as j, o where j.order_id = o.id), 'waiting 7',
  'a clock that is behind a closed month is no attempt'
);
select is(pg_temp.postpone('22003'), 'dead 8 01:04:00 22003: for the test', 'any other error is an attempt');

select * from finish();
rollback;
