-- Raises: plan_invalid.
create or replace function app.check_plan_keys(p_plan jsonb, p_at text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
  v_place bigint;
begin
  if p_plan is null or jsonb_typeof(p_plan) <> 'object' then
    perform app.fail('plan_invalid', 'A plan must be an object.');
  end if;
  select string_agg(left(k, 60), ', ' order by k) into v_unknown
  from jsonb_object_keys(p_plan) as k
  where k not in (
    'people_per_cycle', 'tier_ratios', 'brokerage_scope', 'brokerage_timing', 'points_per_brokerage', 'max_depth', 'payout_cap',
    'minimum_base', 'holding_days'
  );
  select min(r.place) - 1 into v_place
  from jsonb_array_elements(case jsonb_typeof(p_plan -> 'tier_ratios') when 'array' then p_plan -> 'tier_ratios' else '[]' end)
    with ordinality as r (value, place)
  where jsonb_typeof(r.value) <> 'number' or scale(trim_scale((r.value #>> '{}')::numeric)) > 5;
  if v_unknown is not null then
    perform app.fail('plan_invalid', format('The plan has no setting %s.', v_unknown));
  elsif v_place is not null then
    perform app.fail('plan_invalid', 'A ratio is a number with at most five decimals.', format('%s/tier_ratios/%s', p_at, v_place));
  elsif jsonb_typeof(p_plan -> 'payout_cap') in ('number', 'string') and scale(trim_scale((p_plan ->> 'payout_cap')::numeric)) > 5 then
    perform app.fail('plan_invalid', 'payout_cap has at most five decimals.', p_at || '/payout_cap');
  elsif jsonb_typeof(p_plan -> 'minimum_base') in ('number', 'string') and scale(trim_scale((p_plan ->> 'minimum_base')::numeric)) > app.money_decimals() then
    perform app.fail('plan_invalid', 'minimum_base has at most two decimals.', p_at || '/minimum_base');
  elsif jsonb_typeof(p_plan -> 'points_per_brokerage') in ('number', 'string') and scale(trim_scale((p_plan ->> 'points_per_brokerage')::numeric)) > app.points_decimals() then
    perform app.fail('plan_invalid', 'points_per_brokerage has at most four decimals.', p_at || '/points_per_brokerage');
  end if;
end
$$;

comment on function app.check_plan_keys is
  'Raises plan_invalid if a draft plan is not an object, has an unknown setting, or has a number with more decimals than are '
  'stored. Such numbers are rejected, not rounded. p_at is the JSON Pointer of the plan in the request body.';
