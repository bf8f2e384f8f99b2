begin;
\ir ../../support/fixture.psql
select plan(4);

-- A member above two at the top grade, who keep no counts and pass on what they receive from the buyer.
create temporary table m as select pg_temp.sign_up() as uid, null::bigint as first, null::bigint as second;
update m set first = pg_temp.sign_up(uid::text);
update m set second = pg_temp.sign_up(first::text);
update app.users set agent_level = app.top_grade() where uid in (select unnest(array[first, second]) from m);
create temporary table b as select pg_temp.report(pg_temp.sign_up((select second::text from m))) as order_id;

select is(
  (select b.umbrella_orders from app.user_balances as b join m on m.uid = b.uid), 1, 'the order counts for the member'
);
select is_empty(
  'select * from app.reconcile_counters((select uid from m), (select uid from m))',
  'a slice of the member alone finds nothing'
);
select is_empty(
  'select * from app.reconcile_counters((select first from m), (select second from m))',
  'nor does a slice of those who pass on'
);
update app.user_balances set umbrella_orders = 2 where uid = (select uid from m);
select results_eq(
  'select check_name, expected, actual from app.reconcile_counters((select uid from m), (select uid from m))',
  $$ values ('counters_equal_recount', '0 1 0 1', '0 2 0 1') $$, 'and it finds a count that is wrong'
);

select * from finish();
rollback;
