create or replace function app.reconcile_checks()
returns table (check_no integer, name text, keys text, is_dated boolean)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.check_no, c.name, c.keys, c.is_dated
  from (values
    (1, 'reconcile_balances', 'members', true),
    (2, 'reconcile_amounts', 'members', true),
    (3, 'reconcile_counters', 'members', true),
    (4, 'reconcile_levels', 'members', false),
    (5, 'reconcile_orders', 'orders', false),
    (6, 'reconcile_settlements', 'orders', false),
    (7, 'reconcile_cycles', 'members', true),
    (8, 'reconcile_grants', 'orders', false),
    (9, 'reconcile_reversals', 'orders', false),
    (10, 'reconcile_jobs', null, false),
    (11, 'reconcile_sample', 'sample', true),
    (12, 'reconcile_release_runs', 'days', false),
    (13, 'reconcile_releases', 'members', true),
    (14, 'reconcile_refunds', 'orders', false),
    (15, 'reconcile_payments', 'orders', false),
    (16, 'reconcile_provider_refunds', null, false),
    (17, 'reconcile_stock', 'orders', false),
    (18, 'reconcile_article_pool', null, false),
    (19, 'reconcile_team_totals', 'members', true),
    (20, 'reconcile_imports', null, false),
    (21, 'reconcile_maturities', 'orders', false),
    (22, 'reconcile_withdrawals', 'members', true),
    (23, 'reconcile_order_points', 'orders', false),
    (24, 'reconcile_points', 'members', true),
    (25, 'reconcile_adjustments', 'members', true),
    (26, 'reconcile_closed_months', 'months', false),
    (27, 'reconcile_transfers', null, false)
  ) as c (check_no, name, keys, is_dated)
$$;

comment on function app.reconcile_checks is
  'Returns the checks of app.reconcile() in their order, each a function of this schema, and the keys by which a large store is '
  'checked in slices: members by uid, orders by id, days of releases, closed months, or the orders of the sample. A check without keys is small. '
  'is_dated: the check has a parameter p_since and looks only at what has happened since then; checks by order, day or month get only the keys since then.';
