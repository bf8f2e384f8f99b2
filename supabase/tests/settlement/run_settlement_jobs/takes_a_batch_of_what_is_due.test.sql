begin;
\ir ../../support/fixture.psql
select plan(10);

delete from app.settlement_jobs;
create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n,
  pg_temp.buy(pg_temp.sign_up((select a::text from m)), 1, now() - (10 - n) * interval '1 minute') as id
  from generate_series(1, 4) as n;
update app.settlement_jobs set state = 'dead', attempts = 8, last_error = 'for the test'
where order_id = (select id from o where n = 1);
select is(app.run_settlement_jobs(2, now()), 2, 'at most one batch is settled');
select set_eq(
  'select n from o where exists (select from app.settlements as s where s.order_id = o.id)', array[2, 3],
  'the oldest jobs are settled first, dead jobs are not'
);
select is(app.run_settlement_jobs(2, now()), 1, 'the next call settles the rest');
select is(app.run_settlement_jobs(2, now()), 0, 'the next call settles nothing');
select is(
  (select state from app.settlement_jobs as j, o where j.order_id = o.id and o.n = 1), 'dead',
  'a dead job waits for an administrator'
);
select is(app.run_settlement_jobs(n, now()), 0, format('a batch of %s is allowed', n))
from (values (1), (1000)) as v (n);
select throws_ok(
  format('select app.run_settlement_jobs(%L, now())', n), 'PT422', 'invalid_argument',
  format('one of %s is not', coalesce(n::text, 'null'))
)
from (values (0), (1001), (null)) as v (n);

select * from finish();
rollback;
