begin;
\ir ../../support/fixture.psql
select plan(8);

insert into app.users (nickname) select 'Zhang ' || g from generate_series(1, 30000) as g;
insert into app.orders (order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units)
select to_char(now(), 'YYYYMMDDHH24MISS') || lpad((70000000 + u.uid)::text, 8, '0'), u.uid, 1, 1, false, 0, 0
from app.users as u where u.nickname like 'Zhang%';
insert into app.user_bill (
  uid, type, source, available_delta, adjustment_id, brokerage_after, frozen_after, available_after, add_time
)
select a.uid, 'adjustment', 'adjustment', 1, a.id, 0, 0, 1,
  '2026-10-05T00:00:00Z'::timestamptz + g * interval '1 second'
from app.create_adjustment((select min(u.uid) from app.users as u), 0, 0, 1, 'Many', null, now()) as a
cross join generate_series(1, 30000) as g;
analyze app.orders, app.users, app.user_bill;

-- How many rows sequential scans of these tables have read while the function ran.
create function pg_temp.scans(p_function text, p_text text) returns bigint language plpgsql as $$
declare
  v_before bigint := (
    select coalesce(sum(s.seq_tup_read), 0) from pg_stat_xact_user_tables as s
    where s.relid in (
      'app.users'::regclass, 'app.orders'::regclass, 'app.withdrawals'::regclass, 'app.user_bill_default'::regclass
    )
  );
begin
  execute format('select app.%I(%L)', p_function, p_text);
  return (
    select coalesce(sum(s.seq_tup_read), 0) from pg_stat_xact_user_tables as s
    where s.relid in (
      'app.users'::regclass, 'app.orders'::regclass, 'app.withdrawals'::regclass, 'app.user_bill_default'::regclass
    )
  ) - v_before;
end $$;

select is(pg_temp.scans('search_members', 'zhang 1'), 0::bigint, 'members by name are read by an index');
select is(pg_temp.scans('search_members', '10001'), 0::bigint, 'members by number');
select is(pg_temp.scans('search_orders', '70012345'), 0::bigint, 'orders');
select is(pg_temp.scans('search_withdrawals', 'W1'), 0::bigint, 'withdrawals');
select is(pg_temp.scans('search_bill', '12345'), 0::bigint, 'bill rows');
select is((select jsonb_array_length(app.search_members('zhang'))), 5, 'a name that thousands have finds five');

-- The lookups of api.find_contact.
set local enable_seqscan = off;
create function pg_temp.plan(p_query text) returns setof text language plpgsql as $$
begin
  return query execute 'explain (costs off) ' || p_query;
end $$;
select ok(
  (
    select bool_or(p ~ 'users_phone_idx')
    from pg_temp.plan($$select u.uid from app.users as u where u.phone in ('1', '86')$$) as p
  ),
  'phone numbers'
);
select is(
  (
    select count(*)
    from pg_temp.plan($$select a.id from auth.users as a where a.email = lower('A@b') and a.is_sso_user = false$$) as p
    where p ~ 'Seq Scan'
  ),
  0::bigint, 'email addresses'
);

select * from finish();
rollback;
