begin;
\ir ../../support/fixture.psql
select plan(1);

-- test/stack/standby.test.ts asks a standby.
select results_eq($$
  select distinct app.has_replayed(p, a)
  from unnest(array[null, '', 'x', '00000001-00000000/00000001', 'FFFFFFFF-FFFFFFFF/FFFFFFFF', app.log_position()]) as p
  cross join unnest(array[null, interval '1 day', interval '-1 day']) as a
$$, array[false], 'a primary is no standby');

select * from finish();
rollback;
