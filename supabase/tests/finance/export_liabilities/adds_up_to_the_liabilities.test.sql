begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
grant store_api to postgres;
select plan(8);

-- Members with commission that matures, a debt, an open withdrawal; and so many with points that the file has two
-- chunks.
create temporary table m as select pg_temp.reporter() as a, pg_temp.sign_up() as in_debt,
  pg_temp.sign_up() as without_balance;
update app.users as u set add_time = now() - interval '2 days' from m where u.uid = m.without_balance;
create temporary table o as select pg_temp.earn((select a from m)) as received,
  pg_temp.report(pg_temp.sign_up((select a::text from m))) as shipped;
select from m, app.create_adjustment(m.in_debt, -30, 0, 0, 'Test', null, now());
select pg_temp.withdraw(a, 100) from m;
insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data)
select now(), i.id, i.id || '@example.com', '{"nickname": "Tester"}'
from (select gen_random_uuid() as id from generate_series(1, 1000)) as i;
select from app.users as u, app.create_adjustment(u.uid, 0, 0, 0.5, 'Test', null, now())
where u.uid > (select without_balance from m);

create temporary table admin as select pg_temp.administrator() as id;
create temporary table first as select pg_temp.call(a.id, 'export_liabilities')::jsonb as chunk from admin as a;
create temporary table second as
select pg_temp.call(
  a.id, 'export_liabilities', jsonb_build_object('p_cursor', f.chunk ->> 'next_cursor')
)::jsonb as chunk
from admin as a, first as f;
create temporary table lines as
select l.line
from (select chunk from first union all select chunk from second) as c,
  jsonb_array_elements(c.chunk -> 'lines') as l (line);
create function pg_temp.total(p_key text) returns numeric language sql as $$ select sum((line ->> p_key)::numeric)
  from lines $$;

select isnt((select chunk ->> 'next_cursor' from first), null, 'the file has two chunks');
select is((select chunk ->> 'next_cursor' from second), null, 'the last chunk has no cursor');
select is((select count(distinct line ->> 'as_of')::integer from lines), 1, 'all lines are as of the same time');
select results_eq(
  $$ select line ->> 'uid' from lines $$,
  $$ select b.uid::text from app.user_balances as b
  where b.brokerage_price <> 0 or b.frozen_points <> 0 or b.available_points <> 0 order by b.uid $$,
  'each member with commission or points has a line, by uid'
);
select is(
  (
    select jsonb_build_object(
      'owed', l ->> 'owed', 'maturing', l ->> 'maturing', 'after', l ->> 'maturing_after_receipt', 'reserved',
      l ->> 'reserved'
    )
    from app.liabilities_json(null, now()) as l
  ),
  (
    select jsonb_build_object(
      'owed', pg_temp.total('owed')::text, 'maturing', pg_temp.total('maturing')::text, 'after',
      pg_temp.total('after_receipt')::text, 'reserved', pg_temp.total('reserved')::text
    )
  ),
  'the lines add up to what is owed, matures and is reserved'
);
select is(
  (
    select array[(l ->> 'withdrawable')::numeric - (l ->> 'debts')::numeric, (l -> 'points' ->> 'frozen')::numeric, (
      l -> 'points' ->> 'available'
    )::numeric]
    from app.liabilities_json(null, now()) as l
  ),
  array[pg_temp.total('withdrawable'), pg_temp.total('frozen'), pg_temp.total('available')],
  'the lines add up to what can be withdrawn, less debts, and to the points'
);
select is(
  (select line - 'as_of' - 'next' from lines where line ->> 'uid' = (select in_debt::text from m)),
  (
    select jsonb_build_object(
      'uid', in_debt::text, 'owed', '0.00', 'withdrawable', '-30.00', 'held_by_refunds', '0.00', 'maturing', '0.00',
      'after_receipt', '0.00', 'reserved', '0.00', 'frozen', '0', 'available', '0', 'left_commission', '0.00',
      'left_frozen', '0', 'left_available', '0'
    )
    from m
  ),
  'a member in debt is owed nothing'
);
select is(
  pg_temp.call(
    (select id from admin), 'export_liabilities', jsonb_build_object('p_as_of', now() - interval '1 day')
  )::jsonb -> 'lines',
  '[]', 'nobody was owed anything before all this'
);

select * from finish();
rollback;
