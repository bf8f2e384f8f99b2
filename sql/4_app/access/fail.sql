-- A test holds this list of codes equal to docs/errors.md and functions/_shared/error_registry.ts.
-- Reuse a code if the client would react in the same way. Add a code if it would react differently.
create or replace function app.fail(p_code text, p_detail text default null, p_field text default null)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_status text := case p_code
    when 'unauthenticated' then '401'
    when 'forbidden' then '403'
    when 'own_account' then '403'
    when 'order_not_found' then '404'
    when 'product_not_found' then '404'
    when 'user_not_found' then '404'
    when 'job_not_found' then '404'
    when 'refund_not_found' then '404'
    when 'payment_not_found' then '404'
    when 'crontab_not_found' then '404'
    when 'poster_not_found' then '404'
    when 'address_not_found' then '404'
    when 'article_not_found' then '404'
    when 'article_category_not_found' then '404'
    when 'account_not_found' then '404'
    when 'withdrawal_not_found' then '404'
    when 'adjustment_not_found' then '404'
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'too_many_unpaid_orders' then '409'
    when 'too_many_addresses' then '409'
    when 'out_of_stock' then '409'
    when 'price_changed' then '409'
    when 'changed_meanwhile' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'article_category_in_use' then '409'
    when 'account_in_use' then '409'
    when 'too_many_accounts' then '409'
    when 'withdrawal_open' then '409'
    when 'withdrawal_exceeds_balance' then '409'
    when 'withdrawal_state_conflict' then '409'
    when 'adjustment_state_conflict' then '409'
    when 'second_administrator_needed' then '409'
    when 'month_closed' then '409'
    when 'month_archived' then '409'
    when 'order_archived' then '409'
    when 'idempotency_key_in_use' then '409'
    when 'invalid_argument' then '422'
    when 'idempotency_key_reused' then '422'
    when 'spread_unknown' then '422'
    when 'spread_is_self' then '422'
    when 'spread_in_own_downline' then '422'
    when 'product_unavailable' then '422'
    when 'refund_exceeds_order' then '422'
    when 'level_unknown' then '422'
    when 'plan_invalid' then '422'
    when 'levels_invalid' then '422'
    when 'simulation_too_large' then '422'
    when 'schedule_unavailable' then '503'
    when 'import_unfinished' then '503'
  end;
begin
  raise exception using
    errcode = 'PT' || coalesce(v_status, '500'), message = p_code, detail = coalesce(p_detail, ''), column = coalesce(p_field, '');
end
$$;

comment on function app.fail is
  'Raises an error of the store: SQLSTATE ''PT'' followed by the HTTP status, the stable code as message, a sentence that clients '
  'may see as detail, and as column the field of the request body that is at fault, as a JSON Pointer such as /plan/payout_cap.';

-- Security-invoker functions of schema api raise errors as the caller.
grant execute on function app.fail(text, text, text) to anon, authenticated, store_admin, service_role, store_api;
