-- Has no set clause, so that the planner can inline it.
create or replace function app.barring_reason(
  p_units integer, p_base numeric, p_below_minimum boolean, p_referrer_uid bigint, p_is_imported boolean
)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_is_imported then 'imported'
    when p_units = 0 then 'refunded'
    when p_below_minimum then 'below_minimum'
    when p_base = 0 then 'zero_base'
    when p_referrer_uid is null then 'no_referrer'
  end
$$;

comment on function app.barring_reason is
  'Returns why an order pays nobody, whoever is above its buyer, or null if it may pay (R1).';
