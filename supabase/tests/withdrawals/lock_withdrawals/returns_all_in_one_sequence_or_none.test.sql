begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(5);

create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 3) as n;
select from m, pg_temp.earn(m.uid);
create temporary table w as select m.n, m.uid, pg_temp.withdraw(m.uid, 100) as id from m;
create temporary table ids as select array_agg(id order by id) as up, array_agg(id order by id desc) as down from w;

select is(
  (select array_agg(l.id) from ids, app.lock_withdrawals(ids.down) as l), up,
  'in whatever sequence they are named, they are locked by their ids'
)
from ids;
select is(
  (select array_agg(l.id) from ids, app.lock_withdrawals(ids.up[2:2]) as l), up[2:2], 'only those that are named'
)
from ids;
select throws_ok(
  format('select app.lock_withdrawals(%L)', up || 0::bigint), 'PT404', 'withdrawal_not_found',
  'if one does not exist, none is returned'
)
from ids;
select set_config('request.jwt.claims', jsonb_build_object('role', 'store_admin', 'sub', u.auth_id)::text, true) from w
join app.users as u on u.uid = w.uid where w.n = 2;
select throws_ok(
  format('select app.lock_withdrawals(%L)', up), 'PT403', 'own_account', 'nor if one is the caller''s own'
)
from ids;
select is(
  (select array_agg(l.id) from ids, app.lock_withdrawals(ids.up[1:1] || ids.up[3]) as l), up[1:1] || up[3],
  'the others are'
)
from ids;

select * from finish();
rollback;
