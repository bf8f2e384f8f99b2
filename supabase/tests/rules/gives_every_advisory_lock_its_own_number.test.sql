begin;
\ir ../support/fixture.psql
select plan(2);

create temporary table locks as
select l.name, app.lock_number(l.name) as number
from unnest(
  '{structure, balances, unverified_notifications, idempotency_key, unpaid_orders, addresses, team_totals, import}'::text[]
) as l (name);
select is(count(distinct number), 8::bigint, 'no two locks share a number') from locks;
select is(app.lock_number('unknown'), null, 'an unknown lock has none');

select * from finish();
rollback;
