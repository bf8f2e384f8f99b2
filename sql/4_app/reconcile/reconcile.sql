-- All checks read the same snapshot.
create or replace function app.reconcile()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
  select * from app.reconcile_balances()
  union all select * from app.reconcile_amounts()
  union all select * from app.reconcile_counters()
  union all select * from app.reconcile_levels()
  union all select * from app.reconcile_orders()
  union all select * from app.reconcile_settlements()
  union all select * from app.reconcile_cycles()
  union all select * from app.reconcile_grants()
  union all select * from app.reconcile_reversals()
  union all select * from app.reconcile_jobs()
  union all select * from app.reconcile_decisions(200, (select max(s.position) from app.settlements as s))
  union all select * from app.reconcile_releases()
  union all select * from app.reconcile_refunds()
  union all select * from app.reconcile_payments()
  union all select * from app.reconcile_provider_refunds()
  union all select * from app.reconcile_stock()
  union all select * from app.reconcile_article_pool()
  union all select * from app.reconcile_team_totals()
  union all select * from app.reconcile_imports()
$$;

comment on function app.reconcile is
  'Checks the whole database and returns one row per finding, none when all is well: balances, amounts, task counts, levels, '
  'orders, settlements, cycles, grants, reversals, jobs, a sample of decisions, releases, refunds, payments and refunds at '
  'providers, stock, the article pool, team totals and imports.';
