-- Proves the whole database: a row per finding, none when all is well.
-- Callers: administrators, the demo account, tests. Reads only, in one snapshot.
create or replace function app.reconcile()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner cannot know how deep the tree is; compiling for its guess takes longer than the query.
set jit = off
as $$
  select * from app.reconcile_balances()
  union all select * from app.reconcile_amounts()
  union all select * from app.reconcile_counters()
  union all select * from app.reconcile_settlements()
  union all select * from app.reconcile_jobs()
  union all select * from app.reconcile_decisions(200, (select max(s.position) from app.settlements as s))
  union all select * from app.reconcile_releases()
  union all select * from app.reconcile_refunds()
  union all select * from app.reconcile_article_pool()
$$;
