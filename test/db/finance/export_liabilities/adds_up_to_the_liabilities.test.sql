begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(7);

-- Members with commission that matures, a debt, an open withdrawal; and so many with points that the file has two chunks.
create temporary table m as select pg_temp.reporter() as a, pg_temp.sign_up() as in_debt, pg_temp.sign_up() as without_balance;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as received, pg_temp.report(pg_temp.sign_up((select a::text from m))) as shipped;
select from o, app.confirm_receipt(o.received, now() - interval '7 days');
update app.commission_maturities set matures_at = now() where matures_at is not null;
update app.user_balances set brokerage_price = -30 where uid = (select in_debt from m);
select from m, lateral app.add_payout_account(m.a, 'alipay', 'Chen Jing', '13800000000', null, now()) as p,
  lateral app.request_withdrawal(m.a, 100, 'alipay', p.id, now());
insert into auth.users (id, email, raw_user_meta_data)
select i.id, i.id || '@example.com', '{"nickname": "Tester"}' from (select gen_random_uuid() as id from generate_series(1, 1000)) as i;
update app.user_balances set available_points = 0.5 where uid > (select without_balance from m);

create temporary table admin as select pg_temp.administrator() as id;
create temporary table first as select pg_temp.call(a.id, 'export_liabilities')::jsonb as chunk from admin as a;
create temporary table second as
select pg_temp.call(a.id, 'export_liabilities', jsonb_build_object('p_cursor', f.chunk ->> 'next_cursor'))::jsonb as chunk from admin as a, first as f;
create temporary table lines as
select l.line from (select chunk from first union all select chunk from second) as c, jsonb_array_elements(c.chunk -> 'lines') as l (line);
create function pg_temp.total(p_key text) returns numeric language sql as $$ select sum((line ->> p_key)::numeric) from lines $$;

select is((select jsonb_array_length(chunk -> 'lines') from first), 1000, 'a chunk has a thousand lines');
select is((select chunk ->> 'next_cursor' from second), null, 'the last chunk has no cursor');
select is((select count(distinct line ->> 'as_of')::integer from lines), 1, 'all lines are as of the same time');
select results_eq(
  $$ select line ->> 'uid' from lines $$,
  $$ select b.uid::text from app.user_balances as b where b.brokerage_price <> 0 or b.frozen_points <> 0 or b.available_points <> 0 order by b.uid $$,
  'each member with commission or points has a line, by uid'
);
select is(
  (select jsonb_build_object('owed', l ->> 'owed', 'maturing', l ->> 'maturing', 'after', l ->> 'maturing_after_receipt', 'reserved', l ->> 'reserved') from app.liabilities_json(now()) as l),
  (select jsonb_build_object('owed', pg_temp.total('owed')::text, 'maturing', pg_temp.total('maturing')::text, 'after', pg_temp.total('after_receipt')::text, 'reserved', pg_temp.total('reserved')::text)),
  'the lines add up to what is owed, matures and is reserved'
);
select is(
  (select array[(l ->> 'withdrawable')::numeric - (l ->> 'debts')::numeric, (l -> 'points' ->> 'frozen')::numeric, (l -> 'points' ->> 'available')::numeric] from app.liabilities_json(now()) as l),
  array[pg_temp.total('withdrawable'), pg_temp.total('frozen'), pg_temp.total('available')],
  'the lines add up to what can be withdrawn, less debts, and to the points'
);
select is(
  (select line - 'as_of' - 'next' from lines where line ->> 'uid' = (select in_debt::text from m)),
  (select jsonb_build_object('uid', in_debt::text, 'owed', '0.00', 'withdrawable', '-30.00', 'maturing', '0.00', 'after_receipt', '0.00', 'reserved', '0.00', 'frozen', '0', 'available', '0') from m),
  'a member in debt is owed nothing'
);

select * from finish();
rollback;
