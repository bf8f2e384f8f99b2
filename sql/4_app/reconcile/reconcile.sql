-- Stable, so all checks read the same snapshot.
-- Raises: serialization_failure (see app.hold_months).
create or replace function app.reconcile()
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
declare
  v_check record;
begin
  perform app.hold_months(m.name, app.archived_until(m.name)) from unnest('{points_release_log, user_bill}'::text[]) as m (name);
  for v_check in select c.* from app.reconcile_checks() as c order by c.check_no loop
    return query execute format('select * from app.%I()', v_check.name);
  end loop;
end
$$;

comment on function app.reconcile is
  'Checks the whole database and returns one row per finding, none when all is well: balances, amounts, task counts, levels, '
  'orders, settlements, cycles, grants, reversals, jobs, a sample of decisions, releases, refunds, payments and refunds at '
  'providers, stock, the article pool, team totals, imports, maturities, withdrawals, points at checkout, adjustments and '
  'closed months.';
