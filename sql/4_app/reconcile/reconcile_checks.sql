create or replace function app.reconcile_checks()
returns table (check_no integer, name text, keys text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.check_no, c.name, c.keys
  from (values
    (1, 'reconcile_balances', 'members'),
    (2, 'reconcile_amounts', 'members'),
    (3, 'reconcile_counters', 'members'),
    (4, 'reconcile_levels', 'members'),
    (5, 'reconcile_orders', 'orders'),
    (6, 'reconcile_settlements', 'orders'),
    (7, 'reconcile_cycles', 'members'),
    (8, 'reconcile_grants', 'orders'),
    (9, 'reconcile_reversals', 'orders'),
    (10, 'reconcile_jobs', null),
    (11, 'reconcile_sample', 'sample'),
    (12, 'reconcile_release_runs', 'days'),
    (13, 'reconcile_releases', 'members'),
    (14, 'reconcile_refunds', 'orders'),
    (15, 'reconcile_payments', 'orders'),
    (16, 'reconcile_provider_refunds', null),
    (17, 'reconcile_stock', 'orders'),
    (18, 'reconcile_article_pool', null),
    (19, 'reconcile_team_totals', 'members'),
    (20, 'reconcile_imports', null),
    (21, 'reconcile_maturities', 'orders'),
    (22, 'reconcile_withdrawals', 'members'),
    (23, 'reconcile_order_points', 'orders'),
    (24, 'reconcile_points', 'members'),
    (25, 'reconcile_adjustments', 'members'),
    (26, 'reconcile_closed_months', 'months')
  ) as c (check_no, name, keys)
$$;

comment on function app.reconcile_checks is
  'Returns the checks of app.reconcile() in their order, each a function of this schema, and the keys by which a large store is '
  'checked in slices: members by uid, orders by id, days of releases, closed months, or the orders of the sample. A check without keys is small.';
