-- Proves the whole database: a row per finding, none when all is well.
-- Callers: administrators, the demo account, tests. Reads only, in one snapshot.
create or replace function app.reconcile()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = ''
as $$
  select * from app.reconcile_balances()
  union all select * from app.reconcile_amounts()
  union all select * from app.reconcile_counters()
  union all select * from app.reconcile_settlements()
  union all select * from app.reconcile_releases()
  union all select * from app.reconcile_refunds()
  union all select * from app.reconcile_article_pool()
$$;
