-- Raises: invalid_argument.
create or replace function app.require_cents(p_amount numeric)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if scale(trim_scale(p_amount)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount of money has at most two decimals.');
  end if;
end
$$;

comment on function app.require_cents is
  'Raises invalid_argument if an amount of money has more than two decimals. Such amounts are rejected, not rounded. Null '
  'passes.';
