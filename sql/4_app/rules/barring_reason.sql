-- Why an order pays nobody, whoever stands above its buyer; null where it may pay (R1, design 5 minimum base).
-- Pure and inlinable.
create or replace function app.barring_reason(p_units integer, p_base numeric, p_below_minimum boolean, p_referrer_uid bigint)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_units = 0 then 'refunded'
    when p_below_minimum then 'below_minimum'
    when p_base = 0 then 'zero_base'
    when p_referrer_uid is null then 'no_referrer'
  end
$$;
