create or replace function app.address_key(p_address jsonb)
returns text
language sql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
  select lower(regexp_replace(
    normalize((select string_agg(r.name, '' order by r.n) from jsonb_array_elements_text(p_address -> 'region') with ordinality as r (name, n)) || (p_address ->> 'street'), nfkc),
    '\s', '', 'g'
  ))
$$;

comment on function app.address_key is
  'Returns the region and the street of an address in a form that does not depend on case, spaces and the width of characters. Name and '
  'phone number are left out.';
