begin;
\ir ../support/fixture.psql
select plan(2);

select set_eq($$
  select p.proname::text from pg_proc as p
  where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace)
    and not coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false)
$$,
array['new_entry', 'new_tree_change', 'new_facts', 'grant_amount', 'find_earner', 'settlement_change',
'settlement_changes', 'settlement_entries', 'order_facts', 'is_counted', 'barring_reason', 'decide_cycles',
  'meets_next_level', 'decide_levels', 'basis_left',
  'is_visible', 'is_text', 'is_line', 'visible_text', 'is_web_address', 'is_link', 'is_phone_number', 'round_down',
  'cycle_commission', 'commission_points', 'level_points', 'umbrella_share', 'release_rate', 'settlement_batch_size',
  'money_decimals', 'points_decimals', 'lock_number', 'local_day_begins', 'release_amount', 'is_open', 'amount_left',
  'forecast_release',
  'brokerage_progress', 'utc', 'local_time', 'make_cursor', 'list_json', 'log_json', 'bill', 'releases', 'bill_of_run',
  'log_of_run', 'bill_json', 'bill_line', 'withdrawal_line', 'withdrawal_json', 'product_json', 'products_on_sale',
  'is_low', 'release_json', 'run_json', 'progress_json',
  'net_amount', 'shown_depth', 'effect_time', 'session_era', 'caller_kind', 'write_event', 'lock_order',
  'close_open_attempts', 'is_active_administrator', 'is_key', 'is_reported', 'is_below_minimum', 'money_of_points',
  'money_share', 'points_left', 'page_read_limit', 'signal_read_limit', 'burst_size', 'is_burst', 'people_cursor',
  'import_time', 'import_phone', 'import_pay_type', 'import_address', 'is_to_ship', 'shown_state', 'return_state',
  'refund_waits', 'waiting_kinds', 'notice_types', 'was_before', 'is_notice', 'is_paid_back',
  'release_frozen_points', 'visit_members', 'drain_settlement_jobs', 'sum_team_totals', 'sum_days', 'refunded_amounts',
  'paid_back_lines', 'concessions_between', 'line_left', 'write_due_events', 'tell_notices', 'write_deliveries',
  'expire_orders', 'receive_delivered_orders', 'delete_due_accounts', 'ensure_month_partitions',
  'record_reconcile', 'forget_idempotency_keys', 'purge_cron_history', 'purge_old_records', 'compact_month',
  'expand_month', 'compact_due_months', 'continue_unfinished_runs', 'sample_size', 'is_earned', 'is_money',
  'gives_back', 'reversal_of', 'matures_at', 'maturing', 'held_of_matured', 'held_orders', 'maturity',
  'has_reported_order', 'role_areas', 'key_scopes', 'leaf_text', 'leaves', 'local_day', 'become_caller',
  'withdrawal_fee', 'is_returned', 'simulated_below_minimum', 'journal_counter', 'posting', 'postings_of_part',
  'journal_entry', 'taker_of'],
  'only inlined functions, the functions of a payment, and procedures that commit have no search path');
select is_empty($$
  select p.proname from pg_proc as p where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace)
    and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0)
$$, 'PUBLIC cannot execute any function');

select * from finish();
rollback;
