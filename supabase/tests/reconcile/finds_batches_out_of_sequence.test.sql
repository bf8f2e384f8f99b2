begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(6);

delete from app.settlement_jobs;
create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n,
  pg_temp.buy(pg_temp.sign_up((select a::text from m)), 1, now() - n * interval '1 minute') as id
  from generate_series(1, 3) as n;
select app.run_settlement_jobs(50, now());
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
create temporary table known as select check_name, subject from app.reconcile();
select is_empty(
  $$ select from known as k, o
  where k.subject = format('order %s', o.id) $$,
  'orders that were settled in the sequence of their payments, and not of their ids, are not reported'
);

-- The sequence of ids, which is that of positions without the sort.
create function pg_temp.settle_by_id(p_keeps_batches boolean) returns void language sql as $$
  with numbered as (
    select s.order_id, row_number() over (order by s.order_id) as by_id,
      row_number() over (order by s.position) as by_position, s.position
    from app.settlements as s, o where s.order_id = o.id
  )
  update app.settlements as s set position = p.position,
    batch = case when p_keeps_batches then (select min(x.id) from o as x) end
  from numbered as n join numbered as p on p.by_position = n.by_id where s.order_id = n.order_id;
$$;
select matches(
  pg_temp.found('select pg_temp.settle_by_id(true)'), 'batch_is_in_the_sequence_of_payments',
  'a batch in the sequence of ids is found'
);
select doesnt_match(
  pg_temp.found('select pg_temp.settle_by_id(false)'), 'batch_is_in_the_sequence_of_payments',
  'nothing is said about orders that were settled before batches were stored'
);
select matches(
  pg_temp.found(
    'update app.settlements set batch = (select id from o where n = 1) where batch = (select id from o where n = 3)'
  ),
  'batch_is_in_the_sequence_of_payments',
  'a batch that is not named by its first order is found'
);
-- A slice sees the orders of a batch that are outside of it.
select pg_temp.settle_by_id(true);
select is(
  (
    select array_agg(n order by n) from o, lateral app.reconcile_settlements(o.id, o.id) as r
    where r.check_name = 'batch_is_in_the_sequence_of_payments'
  ),
  array[1, 3],
  'a slice with one order of a batch finds that it is out of sequence'
);
select is(
  (
    select concat_ws(' / ', r.expected, r.actual) from o, lateral app.reconcile_settlements(o.id, o.id) as r
    where o.n = 1 and r.check_name = 'batch_is_in_the_sequence_of_payments'
  ),
  format('settled as number 3 of batch %1$s / settled as number 1 of batch %1$s', id),
  'and says where it should have been'
) from o where n = 1;

select * from finish();
rollback;
